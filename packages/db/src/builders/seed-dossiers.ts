/** Dossiers of the demo shop's sender ID: one returned, one approved, one with the carrier; and one that waits for staff. */
import type { PoolClient } from 'pg';
import { setCompanyDetails } from '../queries/dossier-papers.ts';
import { buildDossier, type DossierSpec } from './dossiers.ts';
import { dayMs } from './seed-traffic.ts';

/** A page with nothing on it, so that a reader opens it. */
const blank = Buffer.from(
  `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj
trailer<</Root 1 0 R>>
`.padEnd(48_000, '\n'),
);

interface SeedDossiers {
  customerId: string;
  userId: string;
  senderKey: string;
  /** A sender ID that is reviewed still. */
  newSenderKey: string;
}

export const seedDossiers = async (tx: PoolClient, seed: SeedDossiers, now: Date): Promise<void> => {
  const ago = (days: number): Date => new Date(now.getTime() - days * dayMs);
  const { userId, senderKey, newSenderKey, customerId } = seed;
  const papers = (letter: 'new' | 'checked' | 'returned', others: 'new' | 'checked' = 'checked') =>
    [
      { kind: 'registration', name: 'SEC certificate.pdf', content: blank, state: others },
      { kind: 'identity', name: 'Valid ID of signatory.pdf', content: blank, state: others },
      { kind: 'letter', name: 'Letter signed.pdf', content: blank, state: letter },
    ] as const;
  const own = { userId, senderKey, openedAt: ago(90) };
  const first = [
    { kind: 'opened', at: ago(90) },
    { kind: 'submitted', at: ago(89) },
    { kind: 'sent', at: ago(88), byStaff: true },
  ] as const;
  const specs: DossierSpec[] = [
    {
      ...own,
      ...{ carrier: 'Globe', state: 'returned', changedAt: ago(2), sentAt: ago(4), approvedUntil: ago(-105) },
      answer: {
        text: 'The letter does not name the domain sarisari.ph. Please send a letter that lists every domain used in texts.',
        ...{ by: 'Globe A2P desk', at: ago(2), answerBy: ago(-8) },
      },
      papers: papers('returned'),
      domains: [
        { domain: 'sarisari.ph', state: 'asked' },
        { domain: 'sarisarimart.ph', state: 'allowed' },
      ],
      history: [
        ...first,
        { kind: 'approved', at: ago(80), byStaff: true },
        { kind: 'submitted', at: ago(5) },
        { kind: 'sent', at: ago(4), byStaff: true },
        { kind: 'returned', at: ago(2), byStaff: true },
      ],
    },
    {
      ...own,
      ...{ carrier: 'Smart', state: 'approved', changedAt: ago(78), sentAt: ago(88), approvedUntil: ago(-105) },
      papers: papers('checked'),
      domains: [
        { domain: 'sarisari.ph', state: 'allowed' },
        { domain: 'sarisarimart.ph', state: 'allowed' },
      ],
      history: [...first, { kind: 'approved', at: ago(78), byStaff: true }],
    },
    {
      ...own,
      ...{ carrier: 'DITO', state: 'sent', changedAt: ago(4), sentAt: ago(4) },
      papers: papers('checked'),
      domains: [{ domain: 'sarisarimart.ph', state: 'asked' }],
      history: [
        { kind: 'opened', at: ago(6) },
        { kind: 'submitted', at: ago(5) },
        { kind: 'sent', at: ago(4), byStaff: true },
      ],
    },
    {
      ...{ userId, senderKey: newSenderKey, carrier: 'Globe', state: 'submitted', openedAt: ago(2), changedAt: ago(1) },
      papers: papers('new', 'new'),
      domains: [{ domain: 'promo.sarisarimart.ph', state: 'asked' }],
      history: [
        { kind: 'opened', at: ago(2) },
        { kind: 'submitted', at: ago(1) },
      ],
    },
  ];
  for (const spec of specs) await buildDossier(tx, spec);
  await setCompanyDetails(tx, customerId, {
    legalName: 'Sari-Sari Mart Inc.',
    registrationNumber: 'CS201900001',
    address: '1 Demo Street, Makati City 1200, Metro Manila',
    signatory: 'Demo Signatory',
    signatoryTitle: 'President',
  });
};
