/** Texts that a team inserts into its replies to phones. */
import { z } from 'zod';
import { Role } from './enums.ts';
import { route } from './route.ts';
import { name, text, uuid } from './shapes.ts';

export const savedReplyLimit = 200;
export const savedReplyNameLength = 40;
/** Four segments of a text without special characters. */
export const savedReplyLength = 612;

const fields = {
  name: name(savedReplyNameLength),
  content: text(savedReplyLength).min(1),
};
const savedReply = z.object({ savedReplyId: uuid, name: z.string(), content: z.string() });
export type SavedReply = z.output<typeof savedReply>;

const writers = [Role.Owner, Role.Member] as const;
const params = z.object({ savedReplyId: uuid });

export const savedReplyRoutes = {
  'GET /saved-replies': route({
    summary: 'The saved replies of the team, by name',
    access: [Role.Owner, Role.Member, Role.Viewer],
    response: z.object({ savedReplies: z.array(savedReply) }),
  }),
  'POST /saved-replies': route({
    summary: 'Save a text for replies to phones',
    access: writers,
    status: 201,
    body: z.strictObject(fields),
    response: savedReply,
    errors: ['NAME_TAKEN', 'LIST_FULL'],
  }),
  'PATCH /saved-replies/:savedReplyId': route({
    summary: 'Change a saved reply',
    access: writers,
    params,
    body: z.strictObject(fields).partial(),
    response: savedReply,
    errors: ['NAME_TAKEN'],
  }),
  'DELETE /saved-replies/:savedReplyId': route({
    summary: 'Delete a saved reply',
    access: writers,
    params,
    answer: 'empty',
  }),
};
