import { z } from 'zod';
import { Role } from './enums.ts';
import { route } from './route.ts';
import { instant, listOf, name, optionalLine, page, text, uuid, workTicket } from './shapes.ts';

const enquiry = z.object({
  enquiryId: uuid,
  time: instant,
  name: z.string(),
  company: z.string().nullable(),
  email: z.string(),
  phone: z.string().nullable(),
  message: z.string(),
  /** Of the page it was written on. */
  locale: z.enum(['zh-CN', 'en-US']),
});
export type EnquiryView = z.output<typeof enquiry>;

const params = z.strictObject({ enquiryId: uuid });

const staff = [Role.Operator, Role.Admin] as const;

export const enquiryRoutes = {
  'POST /enquiries/ticket': route({
    summary: 'Before an enquiry: a ticket that opens one call, and the work that makes it count',
    access: 'public',
    response: workTicket,
    errors: ['RATE_LIMITED'],
  }),
  'POST /enquiries': route({
    summary: 'A visitor writes to the staff by the contact form',
    access: 'public',
    body: z.strictObject({
      name: name(100),
      email: z.string().trim().min(1).max(254),
      company: optionalLine(100),
      phone: optionalLine(40),
      message: text(4_000).refine((value) => value.length >= 10),
      locale: z.enum(['zh-CN', 'en-US']),
      /** People do not see this field; what fills it in is a program. */
      website: z.string().max(500).optional(),
      ticket: z.string().min(1).max(120),
      proof: z.string().min(1).max(40),
    }),
    answer: 'empty',
    status: 204,
    errors: ['RATE_LIMITED', 'CAPTCHA_FAILED'],
  }),
  'GET /enquiries': route({
    summary: 'Enquiries, newest first',
    access: staff,
    csv: true,
    query: z.strictObject({ ...page, sort: z.enum(['-time', 'time']).default('-time') }),
    response: listOf(enquiry),
    errors: ['CURSOR_INVALID'],
  }),
  'GET /enquiries/:enquiryId': route({ summary: 'One enquiry', access: staff, params, response: enquiry }),
  'DELETE /enquiries/:enquiryId': route({
    summary: 'Remove an enquiry for good',
    access: staff,
    params,
    answer: 'empty',
    status: 204,
  }),
};
