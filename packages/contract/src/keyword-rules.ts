/** Automatic answers: keywords of a phone's text that are answered with an approved template. */
import { z } from 'zod';
import { Role } from './enums.ts';
import { route } from './route.ts';
import { appId, count, name, useState, uuid } from './shapes.ts';

export const keywordRuleLimit = 100;
export const keywordLength = 40;
export const keywordsPerRule = 20;
/** An answer that could not be sent for so long is not sent any more. */
export const keywordAnswerMaxAgeMs = 3_600_000;

const hour = z.number().int().min(0).max(23);
const hours = z.object({
  from: hour.describe('Hour of the Manila day at which the rule begins to answer.'),
  to: hour.describe('Hour of the Manila day at which it ends; before `from`: of the next day.'),
});
const keywords = z
  .array(name(keywordLength))
  .min(1)
  .max(keywordsPerRule)
  .describe('Each is compared with the whole text, in any case; `*` stands for any text.');

const fields = {
  keywords,
  templateId: uuid.describe('An approved template of the application without variables.'),
  hours: hours.nullable().describe('When it answers; null: all day.'),
  useState: useState.describe('1: it answers; 0: it is off.'),
};
const keywordRule = z.object({
  ruleId: uuid,
  appId,
  ...fields,
  keywords: z.array(z.string()).describe('Each is compared with the whole text, in any case; `*` stands for any text.'),
  templateName: z.string().nullable().describe('Null: the template was deleted; the rule answers nothing.'),
});
export type KeywordRule = z.output<typeof keywordRule>;

const writers = [Role.Owner, Role.Member] as const;
const params = z.object({ ruleId: uuid });

export const keywordRuleRoutes = {
  'GET /keyword-rules': route({
    summary: 'Rules that answer phones by keyword, by application in their order',
    access: [Role.Owner, Role.Member, Role.Viewer],
    query: z.strictObject({ appId: appId.optional() }),
    response: z.object({ keywordRules: z.array(keywordRule) }),
  }),
  'POST /keyword-rules': route({
    summary: 'Answer keywords with a template; the rule comes last in its application',
    access: writers,
    status: 201,
    body: z.strictObject({ appId, ...fields, hours: fields.hours.default(null), useState: fields.useState.default(1) }),
    response: keywordRule,
    errors: ['LIST_FULL'],
  }),
  'PATCH /keyword-rules/:ruleId': route({
    summary: 'Change a keyword rule, its place in the order included',
    access: writers,
    params,
    body: z
      .strictObject({ ...fields, place: count.max(keywordRuleLimit).describe('How many rules come before it.') })
      .partial(),
    response: keywordRule,
  }),
  'DELETE /keyword-rules/:ruleId': route({
    summary: 'Delete a keyword rule',
    access: writers,
    params,
    answer: 'empty',
  }),
  'POST /keyword-rules/test': route({
    summary: 'Which rule would answer a text now; nothing is stored or sent',
    access: writers,
    body: z.strictObject({ appId, content: z.string().min(1).max(1_000).describe('Text of a phone.') }),
    response: z.object({
      isOptOut: z.boolean().describe('The text opts out: no rule answers it.'),
      rule: keywordRule.nullable().describe('The rule that answers; null: none.'),
    }),
  }),
};
