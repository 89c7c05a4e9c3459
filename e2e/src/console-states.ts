/**
 * Every screen with its states, each reached as a person would reach it from an address: what looks at all of them
 * (contrast and names, pictures) walks through this list.
 */
import type { Locator, Page } from 'playwright-core';
import type { ConsoleState } from './console-state.ts';
import { choose } from './people.ts';
import { makePhoneFile, makeWorkbook } from './phone-files.ts';
import { accountRequests } from './sample-account-requests.ts';
import { visitorStates } from './visitor-states.ts';
import type { Words } from './words.ts';

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).first().waitFor();
const dialog = (page: Page) => page.getByRole('dialog').last();
const loaded = async (page: Page): Promise<void> => {
  await heading(page);
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
};

/** Reads whose responses are withheld until another state is opened. */
const kept = new WeakMap<Page, string>();
async function letAnswer(page: Page): Promise<void> {
  const pattern = kept.get(page);
  if (pattern === undefined) return;
  kept.delete(page);
  await page.unroute(pattern);
}

const at =
  (path: string) =>
  async (page: Page): Promise<void> => {
    await letAnswer(page);
    await page.context().setOffline(false);
    await page.goto(path);
    await loaded(page);
  };
const lastMonth = (): string => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
};
/** Presses a button that a phone has in the sheet of filters. */
const pressFilter = async (page: Page, t: Words, wanted: Locator): Promise<void> => {
  const sheet = page.getByRole('button', { name: t('ui.filters'), exact: true });
  await wanted.or(sheet).first().waitFor();
  if (!(await wanted.isVisible())) await sheet.click();
  await wanted.click();
};
const pressing =
  (path: string, button: string) =>
  async (page: Page, t: Words): Promise<void> => {
    await at(path)(page);
    await pressFilter(page, t, page.getByRole('button', { name: t(button) }).first());
    await dialog(page).waitFor();
  };
/** A button that asks before it acts. */
const confirming =
  (path: string, button: string) =>
  async (page: Page, t: Words): Promise<void> => {
    await at(path)(page);
    await page
      .getByRole('button', { name: t(button) })
      .first()
      .click();
    await page.getByRole('alertdialog').waitFor();
  };
const opened =
  (path: string) =>
  async (page: Page): Promise<void> => {
    await at(path)(page);
    await dialog(page).waitFor();
  };
/** Opens the list row with this name, like a click on it. */
const row =
  (path: string, name: string | RegExp) =>
  async (page: Page): Promise<void> => {
    await at(path)(page);
    await page.getByRole('button', { name }).or(page.getByRole('row', { name })).first().click();
    await dialog(page).waitFor();
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  };

/** "Carriers and papers" of a sender ID. */
const dossiers =
  (senderId: string) =>
  async (page: Page, t: Words): Promise<void> => {
    await row(`/sender?search=${senderId}`, senderId)(page);
    await dialog(page)
      .getByRole('tab', { name: t('dossiers.tab.carriers') })
      .click();
    await dialog(page).locator('.dossiers').waitFor();
  };

/** The results of the A/B test of a task. */
const abTest =
  (name: string) =>
  async (page: Page, t: Words): Promise<void> => {
    await at(`/bulkMessage?search=${encodeURIComponent(name)}`)(page);
    // Not those of its variants.
    const whole = new RegExp(`${name}(?! –)`);
    await page
      .getByRole('button', { name: whole })
      .or(page.getByRole('row', { name: whole }))
      .first()
      .click();
    await dialog(page).waitFor();
    await page
      .getByText(t('abTests.winner'))
      .or(page.getByText(t('abTests.clicked')))
      .first()
      .waitFor();
  };
const task =
  (name: string, tab?: string) =>
  async (page: Page, t: Words): Promise<void> => {
    await row(`/bulkMessage?search=${encodeURIComponent(name)}`, name)(page);
    await dialog(page).getByRole('tablist').waitFor();
    if (tab === undefined) return;
    await dialog(page)
      .getByRole('tab', { name: t(`tasks.tab.${tab}`) })
      .click();
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  };
const asking =
  (name: string, act: string) =>
  async (page: Page, t: Words): Promise<void> => {
    await task(name)(page, t);
    await dialog(page)
      .getByRole('button', { name: t(`tasks.act.${act}`), exact: true })
      .click();
    await page.getByRole('alertdialog').or(page.getByRole('dialog').nth(1)).first().waitFor();
  };

/** The statistics chart, once it is drawn. */
const drawn =
  (query: string) =>
  async (page: Page): Promise<void> => {
    await at(`/bussinessStatistics/statistics${query}`)(page);
    await page.locator('.statistics-canvas canvas').first().waitFor();
  };
/** The same, in the middle of the window. */
const centred =
  (query: string) =>
  async (page: Page): Promise<void> => {
    await drawn(query)(page);
    await page.locator('.statistics-canvas').evaluate((canvas) => canvas.scrollIntoView({ block: 'center' }));
  };

const firstRow =
  (path: string) =>
  async (page: Page): Promise<void> => {
    await at(path)(page);
    await page.locator('tbody tr button, .card button').first().click();
    await dialog(page).waitFor();
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  };

/** The per-carrier section of a completed task. */
const byCarrier = async (page: Page, t: Words): Promise<void> => {
  await task('Marikina opening')(page, t);
  await dialog(page)
    .getByRole('table', { name: t('taskFigures.byCarrier') })
    .scrollIntoViewIfNeeded();
};
const exported = async (page: Page, t: Words): Promise<void> => {
  await at('/bussinessStatistics/sendRecord?clientStatus=3')(page);
  await page.getByRole('button', { name: t('ui.export'), exact: true }).click();
  await page
    .getByRole('button', { name: t('records.exports') })
    .last()
    .click();
  await dialog(page).locator('a[download]').first().waitFor();
};
const recordsByTemplate = async (page: Page, t: Words): Promise<void> => {
  await at('/bussinessStatistics/sendRecord')(page);
  await pressFilter(page, t, page.getByRole('button', { name: t('tasks.template') }).first());
  await dialog(page).getByRole('button', { name: 'Order ready for pick-up' }).click();
  await page.waitForURL(/[?&]templateId=/);
  await page.locator('.is-stale').waitFor({ state: 'detached' });
};
const recordsByCountry = async (page: Page, t: Words): Promise<void> => {
  await at('/bussinessStatistics/sendRecord')(page);
  await pressFilter(page, t, page.getByRole('button', { name: t('ui.moreFilters') }).first());
  await dialog(page)
    .getByRole('button', { name: t('records.country') })
    .click();
  await dialog(page).locator('.lookup-list button').first().waitFor();
};

const customer =
  (tab: string, act?: string) =>
  async (page: Page, t: Words): Promise<void> => {
    await row('/customer', 'Sari-Sari Mart')(page);
    await dialog(page)
      .getByRole('tab', { name: t(`customers.tab.${tab}`) })
      .click();
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    if (act === undefined) return;
    await dialog(page)
      .getByRole('button', { name: t(act), exact: true })
      .click();
    await page.getByRole('alertdialog').or(page.getByRole('dialog').nth(1)).first().waitFor();
  };

const findNumber = async (page: Page, t: Words): Promise<void> => {
  await at('/privacy')(page);
  await page.getByLabel(t('privacy.mobileNumber'), { exact: true }).fill('0917 000 0001');
  await page.getByRole('button', { name: t('privacy.find') }).click();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
};

/** A screen whose reads are still pending, or fail. */
const reading =
  (path: string, api: string, answer: 'never' | 'failure' | 'nothing') =>
  async (page: Page): Promise<void> => {
    await letAnswer(page);
    const pattern = `**/api/v1/${api}`;
    await page.route(pattern, (route) => {
      if (answer === 'nothing') return route.fulfill({ json: { items: [], nextCursor: null } });
      return answer === 'never' ? undefined : route.fulfill({ status: 500, json: { error: { code: 'INTERNAL' } } });
    });
    kept.set(page, pattern);
    await page.context().setOffline(false);
    await page.goto(path);
    await page
      .locator(answer === 'never' ? '.skeleton' : '.blank')
      .first()
      .waitFor();
  };

/** With columns that were made narrower and wider. */
/** The second row, next to the list where there is room. */
const peeked =
  (path: string) =>
  async (page: Page): Promise<void> => {
    await at(path)(page);
    const row = page.locator('.row-open').nth(1);
    await row.focus();
    await page.keyboard.press('Space');
    await page.locator('.drawer-panel').waitFor();
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  };
/** A pinned view of the tasks, shared by its maker, which differs from what was saved. */
const savedView = async (page: Page): Promise<void> => {
  const { request } = page.context();
  const filters = { taskStatus: '4,5' };
  const shared = { list: 'tasks', filters, isShared: 1, isPinned: 1 };
  await request.post('/api/v1/saved-filters', { data: { ...shared, name: 'Running' } });
  await request.post('/api/v1/saved-filters', { data: { ...shared, name: 'Completed this month', isShared: 0 } });
  const found = await request.get('/api/v1/saved-filters?list=tasks');
  const { items } = (await found.json()) as { items: { filterId: string; name: string }[] };
  const view = items.find(({ name }) => name === 'Running');
  await at(`/bulkMessage?saved=${view?.filterId}&taskStatus=4,5,6`)(page);
  await page.locator('.views-button').waitFor();
};
const widened = async (page: Page): Promise<void> => {
  await letAnswer(page);
  const pattern = '**/api/v1/view-settings';
  const widths = { taskName: 360, taskStatus: 110, progress: 130 };
  await page.route(pattern, (route) =>
    route.fulfill({ json: { items: [{ list: 'tasks', density: 'comfortable', switched: [], widths }] } }),
  );
  kept.set(page, pattern);
  await page.goto('/bulkMessage');
  await page.locator('.row-open').first().waitFor();
  const edge = page.getByRole('separator').first();
  if (await edge.isVisible()) await edge.focus();
};

const fillTask = async (page: Page, t: Words): Promise<void> => {
  await at('/bulkMessage/addMessage')(page);
  await choose(page, t('tasks.application'), 'Store notices');
  await page.getByLabel(t('tasks.name')).fill('Looked at');
  await page.getByText(t('tasks.smsType.2'), { exact: true }).click();
  await choose(page, t('tasks.template'), 'Order ready for pick-up');
};
const upload = async (page: Page, file: { name: string; bytes: Buffer }): Promise<void> => {
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: file.name, mimeType: 'application/octet-stream', buffer: file.bytes });
};

export const consoleStates: ConsoleState[] = [
  { name: 'landing', who: 'nobody', site: true, open: at('/') },
  {
    name: 'sign-in refused',
    who: 'nobody',
    open: async (page, t) => {
      await page.goto('/?login=1');
      await dialog(page)
        .getByRole('button', { name: t('session.submit'), exact: true })
        .click();
      await dialog(page).getByText(t('session.account.required')).waitFor();
    },
  },
  { name: 'not found', who: 'nobody', open: at('/nowhere') },
  ...visitorStates,
  { name: 'home', who: 'demo', open: at('/home') },
  {
    name: 'palette',
    who: 'demo',
    open: async (page) => {
      await at('/home')(page);
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').fill('order');
      await page.getByRole('option', { name: /Order ready/ }).waitFor();
    },
  },
  {
    name: 'help',
    who: 'demo',
    open: async (page, t) => {
      await at('/home')(page);
      const more = page.getByRole('button', { name: t('shell.more') });
      if (await more.isVisible()) await more.click();
      await page
        .getByRole('button', { name: t('shell.help') })
        .last()
        .click();
      await page.locator('summary').first().waitFor();
    },
  },
  {
    name: 'keyboard shortcuts',
    who: 'demo',
    open: async (page) => {
      await at('/home')(page);
      await page.keyboard.press('?');
      await dialog(page).waitFor();
    },
  },
  { name: 'applications', who: 'demo', open: at('/application') },
  { name: 'application', who: 'demo', open: row('/application', 'Store notices') },
  {
    name: 'application test bind',
    who: 'demo',
    rare: true,
    open: async (page, t) => {
      await row('/application', 'Store notices')(page);
      await page.getByRole('button', { name: t('routing.trial'), exact: true }).click();
      const dialog = page.getByRole('dialog', { name: t('routing.trial.title') });
      await dialog.getByLabel(t('applications.secret.smpp')).fill('demopass');
      await dialog.getByRole('button', { name: t('routing.trial'), exact: true }).click();
      await dialog.getByText('ESME_ROK').first().waitFor();
    },
  },
  {
    name: 'application edited',
    who: 'demo',
    open: async (page, t) => {
      await row('/application', 'Store notices')(page);
      await dialog(page)
        .getByRole('button', { name: t('applications.edit.short'), exact: true })
        .click();
      await page.getByRole('group', { name: t('applications.serviceTypes') }).scrollIntoViewIfNeeded();
    },
  },
  { name: 'application added', who: 'demo', open: pressing('/application', 'applications.add') },
  { name: 'templates', who: 'demo', open: at('/smsTemplate') },
  {
    name: 'template with findings',
    who: 'demo',
    open: async (page, t) => {
      await pressing('/smsTemplate', 'templates.add')(page, t);
      await dialog(page).getByLabel(t('templates.content')).fill('【Sale】 visit www.{1}.com ★ today {3}');
      await dialog(page)
        .getByRole('button', { name: t('templates.submit') })
        .click();
    },
  },
  { name: 'template', who: 'demo', open: row('/smsTemplate', 'Order ready for pick-up') },
  { name: 'threshold', who: 'demo', open: row('/deliveryThreshold', /9\d(?:[.,]\d+)?.{0,2}%/) },
  {
    name: 'notices',
    who: 'demo',
    open: async (page, t) => {
      await at('/notice')(page);
      await page.getByRole('button', { name: t('shell.notices') }).click();
      await page.getByRole('link', { name: t('notices.all') }).waitFor();
    },
  },
  { name: 'account', who: 'demo', everyLook: true, open: at('/account') },
  { name: 'account, authenticator app', who: 'demo', open: pressing('/account', 'account.totp.add') },
  { name: 'senders', who: 'demo', open: at('/sender') },
  { name: 'sender dossiers', who: 'demo', open: dossiers('SARISARI') },
  {
    name: 'sender dossier, paper',
    who: 'demo',
    rare: true,
    open: async (page, t) => {
      await dossiers('SARISARI')(page, t);
      await dialog(page)
        .getByRole('button', { name: t('dossiers.paper.upload') })
        .click();
      await dialog(page).locator('input[type=file]').waitFor({ state: 'attached' });
    },
  },
  {
    name: 'sender dossier, letter',
    who: 'demo',
    rare: true,
    open: async (page, t) => {
      await dossiers('SARISARI')(page, t);
      await dialog(page)
        .getByRole('button', { name: t('dossiers.letter.make') })
        .click();
      await dialog(page).locator('textarea').waitFor();
    },
  },
  { name: 'sender without a dossier', who: 'demo', rare: true, open: dossiers('SARIRIDER') },
  { name: 'sender registered', who: 'demo', open: pressing('/sender', 'senders.add') },
  { name: 'group', who: 'demo', open: row('/messageGroup', 'Suki rewards') },
  { name: 'privacy', who: 'demo', open: at('/privacy') },
  { name: 'records', who: 'demo', open: at('/bussinessStatistics/sendRecord') },
  { name: 'developer', who: 'demo', open: at('/developer') },
  { name: 'developer, Python', who: 'demo', rare: true, open: at('/developer?lang=python') },
  { name: 'developer, keys', who: 'demo', open: at('/developer?tab=keys') },
  {
    name: 'developer, key made',
    who: 'demo',
    open: async (page, t) => {
      await at('/developer?tab=keys')(page);
      await page.getByRole('button', { name: t('developer.key.add') }).click();
      await dialog(page).waitFor();
    },
  },
  {
    name: 'developer, key revoked',
    who: 'demo',
    rare: true,
    open: async (page) => {
      await at('/developer?tab=keys')(page);
      await page.getByRole('button', { name: /Reports/ }).click();
      await page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'developer, key replaced',
    who: 'demo',
    rare: true,
    open: async (page, t) => {
      await at('/developer?tab=keys')(page);
      await page
        .getByRole('button', { name: t('developer.keys.rotate') })
        .first()
        .click();
      await dialog(page).waitFor();
    },
  },
  { name: 'developer, calls', who: 'demo', open: at('/developer?tab=calls') },
  {
    name: 'developer, call',
    who: 'demo',
    open: async (page) => {
      await at('/developer?tab=calls&status=4&path=/messages')(page);
      await page.locator('.resource-frame :is(tbody tr button, .card button)').first().click();
      await dialog(page).waitFor();
      await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    },
  },
  { name: 'developer, callbacks', who: 'demo', open: at('/developer?tab=callbacks') },
  {
    name: 'developer, callback',
    who: 'demo',
    open: async (page) => {
      await at('/developer?tab=callbacks&type=message.status&state=delivered')(page);
      await page.locator('.resource-frame :is(tbody tr button, .card button)').first().click();
      await dialog(page).waitFor();
      await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    },
  },
  {
    name: 'developer, address',
    who: 'demo',
    rare: true,
    open: async (page) => {
      await at('/developer?tab=callbacks')(page);
      await page.locator('.plain-table .row-open').first().click();
      await dialog(page).waitFor();
      await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    },
  },
  { name: 'developer, live events', who: 'demo', open: at('/developer?tab=live') },
  { name: 'developer, errors', who: 'demo', open: at('/developer?tab=errors') },
  { name: 'replies', who: 'demo', open: at('/inbound') },
  { name: 'reply', who: 'demo', open: firstRow('/inbound') },
  { name: 'conversations', who: 'demo', open: at('/conversation') },
  { name: 'conversations not found', who: 'demo', rare: true, open: at('/conversation?search=zzzz') },
  {
    name: 'conversation',
    who: 'demo',
    open: async (page, t) => {
      await at('/conversation')(page);
      await page.locator('.conversation-row .row-open').first().click();
      await page.getByRole('log', { name: t('conversations.thread') }).waitFor();
    },
  },
  {
    name: 'conversation, reply',
    who: 'demo',
    everyLook: true,
    open: async (page, t) => {
      await at('/conversation')(page);
      await page.locator('.conversation-row .row-open').first().click();
      const form = page.getByRole('form', { name: t('conversations.send') });
      await form.getByRole('textbox').fill('Yes, our Makati branch opens at 9 AM tomorrow. Salamat!');
      await form.getByRole('status').getByText('₱').waitFor();
    },
  },
  {
    name: 'conversation, saved replies',
    who: 'demo',
    open: async (page, t) => {
      await at('/conversation')(page);
      await page.locator('.conversation-row .row-open').first().click();
      await page.getByRole('button', { name: t('conversations.saved') }).click();
      await page.getByRole('button', { name: t('conversations.saved.manage') }).waitFor();
    },
  },
  {
    name: 'conversation, saved replies drawer',
    who: 'demo',
    open: async (page, t) => {
      await at('/conversation')(page);
      await page.locator('.conversation-row .row-open').first().click();
      await page.getByRole('button', { name: t('conversations.saved') }).click();
      await page.getByRole('button', { name: t('conversations.saved.manage') }).click();
      await dialog(page)
        .getByRole('button', { name: t('conversations.saved.add') })
        .waitFor();
    },
  },
  {
    name: 'conversation, saved reply form',
    who: 'demo',
    open: async (page, t) => {
      await at('/conversation')(page);
      await page.locator('.conversation-row .row-open').first().click();
      await page.getByRole('button', { name: t('conversations.saved') }).click();
      await page.getByRole('button', { name: t('conversations.saved.manage') }).click();
      await dialog(page)
        .getByRole('button', { name: t('conversations.saved.add') })
        .click();
      await page
        .locator('.dialog-panel')
        .getByRole('textbox', { name: t('review.text') })
        .fill('We are open from 9 AM to 8 PM. Salamat!');
    },
  },
  {
    name: 'conversation, keyword answers',
    who: 'demo',
    open: async (page, t) => {
      await at('/conversation')(page);
      await page.getByRole('button', { name: t('conversations.rules'), exact: true }).click();
      await dialog(page)
        .getByRole('button', { name: t('conversations.rules.add') })
        .waitFor();
    },
  },
  {
    name: 'conversation, keyword answer form',
    who: 'demo',
    open: async (page, t) => {
      await at('/conversation')(page);
      await page.getByRole('button', { name: t('conversations.rules'), exact: true }).click();
      await dialog(page)
        .getByRole('button', { name: t('conversations.rules.add') })
        .click();
      // Before the error of a field moves it away.
      await page.locator('.dialog-panel').getByRole('checkbox').uncheck();
      await page
        .locator('.dialog-panel')
        .getByRole('textbox', { name: t('conversations.rules.words') })
        .fill('stop');
      await page
        .locator('.dialog-panel')
        .getByRole('button', { name: t('ui.save'), exact: true })
        .click();
    },
  },
  {
    name: 'conversation, template',
    who: 'demo',
    open: async (page, t) => {
      await at('/conversation')(page);
      await page.locator('.conversation-row .row-open').nth(6).click();
      const form = page.getByRole('form', { name: t('conversations.send') });
      await form.getByText(t('error.REPLY_WINDOW_CLOSED')).waitFor();
      await form.getByRole('combobox').selectOption({ index: 1 });
    },
  },
  { name: 'reply that refuses', who: 'demo', rare: true, open: firstRow('/inbound?optOut=1') },
  { name: 'exports', who: 'demo', open: exported },
  {
    name: 'exports, none',
    who: 'demo',
    rare: true,
    open: reading('/bussinessStatistics/sendRecord?exports=1', 'exports*', 'nothing'),
  },
  { name: 'records, test mode', who: 'demo', rare: true, open: at('/bussinessStatistics/sendRecord?test=1') },
  { name: 'records, none found', who: 'demo', rare: true, open: at('/bussinessStatistics/sendRecord?clientSid=NONE') },
  {
    name: 'records, loading',
    who: 'demo',
    rare: true,
    open: reading('/bussinessStatistics/sendRecord', 'records*', 'never'),
  },
  {
    name: 'records, failed',
    who: 'demo',
    rare: true,
    open: reading('/bussinessStatistics/sendRecord', 'records*', 'failure'),
  },
  { name: 'records, by template', who: 'demo', open: recordsByTemplate },
  { name: 'records, country', who: 'demo', rare: true, open: recordsByCountry },
  {
    name: 'records, saved views',
    who: 'demo',
    rare: true,
    open: pressing('/bussinessStatistics/sendRecord?clientStatus=2', 'savedViews.title'),
  },
  {
    name: 'record, waiting',
    who: 'demo',
    rare: true,
    open: firstRow('/bussinessStatistics/sendRecord?clientStatus=0'),
  },
  { name: 'short links', who: 'demo', open: at('/bussinessStatistics/shortLinkStatics') },
  { name: 'statistics', who: 'demo', open: drawn('') },
  {
    name: 'statistics bars beside the period before',
    who: 'demo',
    open: drawn('?type=bar&compare=1&by=logDate,carrier'),
  },
  {
    name: 'statistics outcomes stacked',
    who: 'demo',
    open: centred('?type=bar&compare=1&metrics=receiptSuccessNum,receiptUnknownNum,receiptFailNum,reqFailNum'),
  },
  { name: 'statistics shares', who: 'demo', open: drawn('?type=pie&by=carrier') },
  { name: 'statistics delivery by carrier', who: 'demo', open: centred('?tab=delivery') },
  { name: 'statistics volume by application', who: 'demo', rare: true, open: centred('?tab=volume') },
  { name: 'statistics failures', who: 'demo', rare: true, open: centred('?tab=failures') },
  {
    name: 'statistics under the pointer',
    who: 'demo',
    rare: true,
    open: async (page) => {
      await drawn('?type=bar&by=logDate,carrier')(page);
      const canvas = page.locator('.statistics-canvas');
      await canvas.scrollIntoViewIfNeeded();
      const box = await canvas.boundingBox();
      // Twice: the chart shows its tooltip when the pointer moves over it.
      for (const part of [0.68, 0.7])
        await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) * part, (box?.y ?? 0) + 120);
      await page.locator('.chart-hint').waitFor();
    },
  },
  { name: 'statistics codes', who: 'demo', open: at('/bussinessStatistics/statistics?tab=codes') },
  {
    name: 'statistics codes by application, of staff',
    who: 'admin',
    open: at('/bussinessStatistics/statistics?tab=codes&by=appId'),
  },
  {
    name: 'statistics codes none',
    who: 'demo',
    open: at('/bussinessStatistics/statistics?tab=codes&from=2020-01-01T00:00:00.000Z&to=2020-01-02T00:00:00.000Z'),
  },
  { name: 'statistics past their bounds', who: 'demo', open: at('/bussinessStatistics/statistics?unit=0') },
  { name: 'statistics add chart', who: 'demo', open: pressing('/bussinessStatistics/statistics', 'statistics.add') },
  { name: 'record', who: 'demo', open: firstRow('/bussinessStatistics/sendRecord') },
  { name: 'tasks', who: 'demo', everyLook: true, open: at('/bulkMessage') },
  { name: 'tasks, widths of columns', who: 'demo', open: widened },
  { name: 'tasks, none found', who: 'demo', open: at('/bulkMessage?search=nothing-like-this') },
  {
    name: 'tasks, filter by status',
    who: 'demo',
    open: async (page, t) => {
      await at('/bulkMessage')(page);
      await pressFilter(page, t, page.getByRole('button', { name: t('tasks.status') }).first());
      await page.getByText(t('tasks.status.7')).last().waitFor();
    },
  },
  { name: 'task create, empty', who: 'demo', everyLook: true, open: at('/bulkMessage/addMessage') },
  {
    name: 'task create, errors',
    who: 'demo',
    open: async (page, t) => {
      await at('/bulkMessage/addMessage')(page);
      await page.getByRole('button', { name: t('tasks.check') }).click();
      await page.locator('.field-error').first().waitFor();
    },
  },
  {
    name: 'task create, A/B test',
    who: 'demo',
    everyLook: true,
    open: async (page, t) => {
      await fillTask(page, t);
      await upload(page, makePhoneFile('csv', 200, 9));
      await page.getByText(t('tasks.upload.sent')).waitFor();
      await page.getByRole('checkbox', { name: t('tasks.abTest') }).check();
      await page.getByRole('slider').first().waitFor();
      await page.getByRole('slider').first().press('PageUp');
      await page.getByRole('slider').first().scrollIntoViewIfNeeded();
    },
  },
  { name: 'task, A/B test decided', who: 'demo', everyLook: true, open: abTest('Pick-up text, two languages') },
  { name: 'task, A/B test undecided', who: 'demo', open: abTest('Counter text, two languages') },
  {
    name: 'task, A/B test asked',
    who: 'demo',
    rare: true,
    open: async (page, t) => {
      await abTest('Counter text, two languages')(page, t);
      // By place: in Arabic the letter stands between marks of direction.
      await dialog(page).locator('.ab-result button').last().click();
      await page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'task create, file refused',
    who: 'demo',
    open: async (page, t) => {
      await at('/bulkMessage/addMessage')(page);
      await upload(page, { name: 'phones.txt', bytes: Buffer.from('09171234567') });
      await page.getByText(t('error.FILE_EXTENSION')).first().scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'task create, templates to choose from',
    who: 'demo',
    open: async (page, t) => {
      await at('/bulkMessage/addMessage')(page);
      await choose(page, t('tasks.application'), 'Store notices');
      await page
        .getByRole('combobox', { name: t('tasks.template') })
        .last()
        .click();
      await page.locator('.ant-select-item-option:visible').first().waitFor();
    },
  },
  {
    name: 'task create, filled',
    who: 'demo',
    everyLook: true,
    open: async (page, t) => {
      await fillTask(page, t);
      await upload(page, makePhoneFile('csv', 20, 9));
      await page.getByText(t('tasks.upload.sent')).waitFor();
      await page.getByRole('table').first().waitFor();
    },
  },
  {
    name: 'task create, results by hour',
    who: 'demo',
    everyLook: true,
    open: async (page, t) => {
      await fillTask(page, t);
      await page.locator('.option-title', { hasText: t('tasks.when.later') }).click();
      await page.getByRole('region', { name: t('sendHours.title') }).scrollIntoViewIfNeeded();
      await page.locator('.tasks-hours-reason').waitFor();
    },
  },
  {
    name: 'task create, workbook and send time',
    who: 'demo',
    everyLook: true,
    open: async (page, t) => {
      await fillTask(page, t);
      await upload(
        page,
        makeWorkbook('two-sheets.xlsx', { Notes: [['Phones of June']], Phones: [['mobile'], ['09171230000']] }),
      );
      await page.getByRole('combobox', { name: t('tasks.mapping.sheet') }).waitFor();
      await page.locator('.option-title', { hasText: t('tasks.when.later') }).click();
      await page.getByRole('textbox', { name: t('tasks.planTime') }).click();
      await page.locator('.ant-picker-dropdown').waitFor();
    },
  },
  { name: 'home, month', who: 'demo', rare: true, open: at('/home?range=month') },
  { name: 'home, loading', who: 'demo', rare: true, open: reading('/home', 'overview*', 'never') },
  { name: 'home, failed', who: 'demo', rare: true, open: reading('/home', 'overview*', 'failure') },
  { name: 'tasks, peek', who: 'demo', rare: true, open: peeked('/bulkMessage') },
  { name: 'records, peek', who: 'demo', open: peeked('/bussinessStatistics/sendRecord') },
  { name: 'tasks, saved view', who: 'demo', open: savedView },
  { name: 'tasks, loading', who: 'demo', rare: true, open: reading('/bulkMessage', 'tasks*', 'never') },
  { name: 'tasks, failed', who: 'demo', rare: true, open: reading('/bulkMessage', 'tasks*', 'failure') },
  {
    name: 'tasks, offline',
    who: 'demo',
    rare: true,
    open: async (page) => {
      await at('/bulkMessage')(page);
      await page.context().setOffline(true);
      await page.locator('.offline-bar').waitFor();
    },
  },
  { name: 'sender', who: 'demo', rare: true, open: firstRow('/sender') },
  { name: 'groups', who: 'demo', rare: true, open: at('/messageGroup') },
  { name: 'opt-outs', who: 'demo', rare: true, open: at('/opt-outs') },
  { name: 'consents', who: 'demo', rare: true, open: at('/consents') },
  { name: 'consent added', who: 'demo', rare: true, open: pressing('/consents', 'consents.add') },
  { name: 'consent required', who: 'demo', rare: true, open: confirming('/consents', 'consents.policy.require') },
  { name: 'thresholds', who: 'demo', rare: true, open: at('/deliveryThreshold') },
  { name: 'threshold added', who: 'demo', rare: true, open: pressing('/deliveryThreshold', 'thresholds.add') },
  {
    name: 'threshold quiet hours',
    who: 'demo',
    rare: true,
    open: pressing('/deliveryThreshold', 'thresholds.quiet.change'),
  },
  { name: 'threshold of volume', who: 'demo', rare: true, open: row('/deliveryThreshold', /50.000/) },
  {
    name: 'threshold of pumping',
    who: 'demo',
    rare: true,
    open: async (page, t) => {
      await row('/deliveryThreshold', t('thresholds.kind.pumping'))(page);
      await dialog(page).getByText('+639171…').waitFor();
    },
  },
  {
    name: 'threshold of pumping added',
    who: 'demo',
    rare: true,
    open: async (page, t) => {
      await pressing('/deliveryThreshold', 'thresholds.add')(page, t);
      for (const choice of ['thresholds.kind.pumping', 'thresholds.act.slow'] as const)
        await dialog(page)
          .getByRole('radio', { name: t(choice) })
          .check({ force: true });
      await dialog(page).getByLabel(t('thresholds.slowTo')).waitFor();
    },
  },
  { name: 'group added', who: 'demo', rare: true, open: pressing('/messageGroup', 'groups.add') },
  { name: 'dynamic group', who: 'demo', open: row('/messageGroup', / regulars/) },
  {
    name: 'dynamic group edited',
    who: 'demo',
    everyLook: true,
    open: async (page, t) => {
      await row('/messageGroup', / regulars/)(page);
      await dialog(page)
        .getByRole('button', { name: t('groups.edit') })
        .click();
      await dialog(page)
        .getByRole('button', { name: t('groups.dynamic.another') })
        .click();
      await page.locator('.groups-found-count').waitFor();
    },
  },
  { name: 'groups combined', who: 'demo', rare: true, open: opened('/messageGroup?new=combination') },
  { name: 'group of an outcome', who: 'demo', rare: true, open: opened('/messageGroup?new=outcome') },
  {
    name: 'group, members added',
    who: 'demo',
    rare: true,
    open: async (page, t) => {
      await row('/messageGroup', 'Suki rewards')(page);
      await dialog(page)
        .getByRole('button', { name: t('groups.addMembers') })
        .click();
      await page.getByText(t('groups.addMembers.file')).click();
      await page.locator('.groups-drop').waitFor();
    },
  },
  { name: 'opt-out added', who: 'demo', rare: true, open: pressing('/opt-outs', 'optOuts.add') },
  {
    name: 'short link added',
    who: 'demo',
    rare: true,
    open: pressing('/bussinessStatistics/shortLinkStatics', 'shortLinks.add'),
  },
  { name: 'prohibited words', who: 'admin', rare: true, open: pressing('/review', 'review.terms') },
  { name: 'review hours', who: 'admin', rare: true, open: pressing('/review', 'review.hours') },
  {
    name: 'user menu',
    who: 'demo',
    rare: true,
    open: async (page, t) => {
      await at('/home')(page);
      await page.getByRole('button', { name: t('shell.user') }).click();
      await page.getByRole('button', { name: t('shell.logout') }).waitFor();
    },
  },
  { name: 'notices, all', who: 'demo', rare: true, open: at('/notice') },
  { name: 'billing', who: 'demo', rare: true, open: at('/billing') },
  { name: 'billing, by day', who: 'demo', rare: true, open: at('/billing?by=day') },
  { name: 'billing, month', who: 'demo', rare: true, open: at('/billing?range=month') },
  { name: 'billing, top-up', who: 'demo', rare: true, open: pressing('/billing', 'billing.topUp.ask') },
  { name: 'invoices', who: 'demo', rare: true, open: at('/billing/invoice') },
  { name: 'invoice', who: 'demo', rare: true, open: at(`/billing/invoice?month=${lastMonth()}`) },
  { name: 'members', who: 'demo', rare: true, open: at('/member') },
  { name: 'member invited', who: 'demo', rare: true, open: pressing('/member', 'members.invite') },
  { name: 'member invitations', who: 'demo', rare: true, open: at('/member?tab=invitations') },
  {
    name: 'member role',
    who: 'demo',
    rare: true,
    open: async (page, t) => {
      await at('/member')(page);
      await page
        .getByRole('button', { name: t('members.changeRole') })
        .last()
        .click();
      await page.getByRole('alertdialog').waitFor();
    },
  },
  { name: 'privacy number', who: 'demo', rare: true, open: findNumber },
  { name: 'audit log', who: 'demo', rare: true, open: at('/auditLog') },
  { name: 'audit log entry', who: 'demo', rare: true, open: firstRow('/auditLog') },
  { name: 'short link', who: 'demo', rare: true, open: firstRow('/bussinessStatistics/shortLinkStatics') },
  { name: 'task draft', who: 'demo', open: task('Christmas price list') },
  { name: 'task initialized', who: 'demo', open: task('Holiday pick-ups') },
  { name: 'task validated', who: 'demo', open: task('December loyalty offer') },
  { name: 'task to confirm', who: 'demo', everyLook: true, open: asking('December loyalty offer', 'confirm') },
  { name: 'task scheduled', who: 'demo', open: task('Monday pick-ups') },
  { name: 'task to cancel', who: 'demo', open: asking('Monday pick-ups', 'cancel') },
  { name: 'task preparing', who: 'demo', open: task('Cebu branch move') },
  { name: 'task paused', who: 'demo', everyLook: true, open: task('Weekend pick-ups, all branches') },
  {
    name: 'task to terminate',
    who: 'demo',
    everyLook: true,
    open: asking('Weekend pick-ups, all branches', 'terminate'),
  },
  { name: 'task completed', who: 'demo', everyLook: true, open: task('Marikina opening') },
  { name: 'task send detail', who: 'demo', everyLook: true, open: task('Marikina opening', 'detail') },
  {
    name: 'task send detail, of a pane',
    who: 'demo',
    open: async (page, t) => {
      await task('Marikina opening', 'detail')(page, t);
      await dialog(page).locator('.legend-pick').first().click();
      await dialog(page).locator('.legend-pick[aria-pressed=true]').waitFor();
      await page.locator('.is-stale').waitFor({ state: 'detached' });
    },
  },
  { name: 'task send log', who: 'demo', everyLook: true, open: task('Marikina opening', 'log') },
  { name: 'task rejected rows', who: 'demo', everyLook: true, open: task('Marikina opening', 'rejected') },
  { name: 'task to retry', who: 'demo', open: asking('Wrong branch notice', 'retry') },
  { name: 'task with nothing to retry', who: 'demo', rare: true, open: asking('Marikina opening', 'retry') },
  { name: 'task by carrier', who: 'demo', rare: true, open: byCarrier },
  { name: 'task cancelled', who: 'demo', open: task('Old price list') },
  { name: 'task failed', who: 'demo', open: task('Midnight sale') },
  { name: 'task terminated', who: 'demo', open: task('Wrong branch notice') },
  { name: 'task pending review', who: 'demo', open: task('Loyalty day') },
  { name: 'task rejected', who: 'demo', open: task('Supplier notice') },
  { name: 'staff overview', who: 'reviewer', open: at('/overview') },
  { name: 'staff tasks', who: 'reviewer', open: at('/bulkMessage') },
  { name: 'reviews', who: 'reviewer', open: at('/review') },
  { name: 'review of a template', who: 'reviewer', open: row('/review', 'Delivery on its way') },
  { name: 'review of a task', who: 'reviewer', open: row('/review', 'Loyalty day') },
  {
    name: 'review to reject',
    who: 'reviewer',
    open: async (page, t) => {
      await row('/review', 'Loyalty day')(page);
      await dialog(page)
        .getByRole('button', { name: t('review.reject'), exact: true })
        .click();
      await page.getByRole('alertdialog').or(page.getByRole('dialog').nth(1)).first().waitFor();
    },
  },
  { name: 'admin overview', who: 'admin', rare: true, open: at('/overview') },
  { name: 'customers', who: 'admin', rare: true, open: at('/customer') },
  { name: 'customer', who: 'admin', rare: true, open: row('/customer', 'Sari-Sari Mart') },
  { name: 'customer settings', who: 'admin', rare: true, open: customer('settings') },
  { name: 'customer applications', who: 'admin', rare: true, open: customer('applications') },
  { name: 'customer prices', who: 'admin', rare: true, open: customer('prices') },
  { name: 'customer limits', who: 'admin', rare: true, open: customer('limits') },
  { name: 'customer limit added', who: 'admin', rare: true, open: customer('limits', 'customers.limit.add') },
  { name: 'customer topped up', who: 'admin', rare: true, open: customer('overview', 'customers.topUp') },
  { name: 'customer to suspend', who: 'admin', rare: true, open: customer('overview', 'customers.suspend') },
  { name: 'customer added', who: 'admin', rare: true, open: pressing('/customer', 'customers.add') },
  { name: 'routing suppliers', who: 'admin', rare: true, open: at('/routing') },
  { name: 'routing supplier', who: 'admin', rare: true, open: firstRow('/routing') },
  { name: 'routing supplier added', who: 'admin', rare: true, open: pressing('/routing', 'routing.supplier.add') },
  { name: 'routing route added', who: 'admin', rare: true, open: pressing('/routing?tab=routes', 'routing.route.add') },
  {
    name: 'routing prefix added',
    who: 'admin',
    rare: true,
    open: pressing('/routing?tab=prefixes', 'routing.prefix.add'),
  },
  { name: 'routing price set', who: 'admin', rare: true, open: pressing('/routing?tab=prices', 'routing.price.add') },
  { name: 'routing price history', who: 'admin', rare: true, open: at('/routing?tab=prices&history=1') },
  { name: 'routing routes', who: 'admin', rare: true, open: at('/routing?tab=routes') },
  { name: 'routing prefixes', who: 'admin', rare: true, open: at('/routing?tab=prefixes') },
  { name: 'routing prices', who: 'admin', rare: true, open: at('/routing?tab=prices') },
  { name: 'routing customer binds', who: 'admin', rare: true, open: at('/routing?tab=customerBinds') },
  { name: 'staff billing', who: 'admin', rare: true, open: at('/billing') },
  { name: 'staff billing, by day', who: 'admin', rare: true, open: at('/billing?by=day') },
  { name: 'staff invoices', who: 'admin', rare: true, open: at('/billing/invoice') },
  { name: 'enquiries', who: 'admin', rare: true, open: at('/enquiry') },
  { name: 'dossiers', who: 'reviewer', rare: true, open: at('/dossier') },
  { name: 'dossier', who: 'reviewer', rare: true, open: row('/dossier', 'SARIPROMO') },
  {
    name: 'dossier returned',
    who: 'reviewer',
    rare: true,
    open: async (page, t) => {
      await row('/dossier', 'SARIPROMO')(page);
      await dialog(page)
        .getByRole('button', { name: t('dossiers.return') })
        .click();
      await dialog(page).locator('textarea').waitFor();
    },
  },
  { name: 'account requests', who: 'admin', rare: true, open: accountRequests(at('/accountRequest')) },
  {
    name: 'account request',
    who: 'admin',
    rare: true,
    open: accountRequests(firstRow('/accountRequest')),
  },
  {
    name: 'account request accepted',
    who: 'admin',
    rare: true,
    open: accountRequests(async (page, t) => {
      await firstRow('/accountRequest')(page);
      await page
        .getByRole('dialog')
        .getByRole('button', { name: t('customers.add') })
        .click();
      await page.getByRole('dialog').last().locator('input').first().waitFor();
    }),
  },
  {
    name: 'account request declined',
    who: 'admin',
    rare: true,
    open: accountRequests(async (page, t) => {
      await firstRow('/accountRequest')(page);
      await page
        .getByRole('dialog')
        .getByRole('button', { name: t('approvals.reject'), exact: true })
        .click();
      await page.getByRole('dialog').last().locator('textarea').waitFor();
    }),
  },
  { name: 'staff', who: 'admin', rare: true, open: at('/staff') },
  {
    name: 'set-aside events',
    who: 'admin',
    rare: true,
    open: async (page) => {
      const common = {
        supplierId: '01a20000-0000-7000-8000-000000000002',
        supplierAccount: 'globe-bulk-1',
        time: '2026-11-20T02:15:00.000Z',
        message: null,
        optOut: null,
        handledTime: null,
        handledBy: null,
      };
      const message = {
        messageId: '281474976710656123',
        customerId: common.supplierId,
        operator: 'A shop with a long name',
        taskId: common.supplierId,
        taskName: 'Weekend sale, second wave',
      };
      const content = '{"msisdn":"63******4567","destination":"PAHATID","content":"stop"}';
      const items = [
        { ...common, eventId: '1', kind: 'result', errorCode: '54000', content: '{"after":{"sendStatus":3}}', message },
        { ...common, eventId: '2', kind: 'text', errorCode: '23514', content, optOut: 'applied' },
        {
          ...common,
          eventId: '3',
          kind: 'receipt',
          errorCode: '54000',
          content: '{"candidates":["a1"]}',
          handledTime: '2026-11-20T03:15:00.000Z',
          handledBy: 'Maria Santos',
        },
      ];
      const pattern = /\/api\/v1\/set-aside-events/;
      await page.route(pattern, (route) => route.fulfill({ json: { items, nextCursor: null } }));
      const read = page.waitForResponse(pattern);
      await at('/setAsideEvent')(page);
      await read;
      await page.unroute(pattern);
    },
  },
  { name: 'approvals', who: 'admin', rare: true, open: at('/approvals') },
  { name: 'approval limits', who: 'admin', rare: true, open: pressing('/approvals', 'approvals.limits') },
  {
    name: 'approvals waiting',
    who: 'admin',
    rare: true,
    open: async (page) => {
      const common = {
        state: 'pending',
        customerId: null,
        operator: null,
        requestTime: '2026-11-20T02:15:00.000Z',
        expireTime: '2026-11-27T02:15:00.000Z',
        requestedBy: { userId: '01a20000-0000-7000-8000-000000000002', account: 'maria.of.the.billing.team' },
        decidedBy: null,
        decideTime: null,
        reason: null,
      };
      const price = {
        action: 'edit',
        id: common.requestedBy.userId,
        version: 1,
        areaCode: 'PH',
        carrier: 'Globe',
        smsType: 1,
        customerId: null,
        price: 9_000,
        before: 3_500,
        effectiveTime: null,
      };
      const topUp = { kind: 'topUp', amount: 2_500_000_000, note: 'Bank transfer of 20 November, slip 4471' };
      const items = [
        {
          ...common,
          approvalId: '01a20000-0000-7000-8000-000000000003',
          operator: 'A shop with a long name',
          kind: 'ledger',
          request: topUp,
        },
        { ...common, approvalId: '01a20000-0000-7000-8000-000000000004', kind: 'price', request: price },
      ];
      const pattern = /\/api\/v1\/approvals/;
      await page.route(pattern, (route) => route.fulfill({ json: { items, nextCursor: null, total: 2 } }));
      const read = page.waitForResponse(pattern);
      await at('/approvals')(page);
      await read;
      await page.unroute(pattern);
    },
  },
  {
    name: 'enquiry',
    who: 'admin',
    rare: true,
    open: async (page) => {
      const enquiry = {
        enquiryId: '01a20000-0000-7000-8000-000000000001',
        time: '2026-11-20T02:15:00.000Z',
        name: 'Maria',
        company: 'A shop',
        email: 'maria@shop.example',
        phone: '0917 555 0142',
        message: 'We want to tell 20,000 of our customers about the opening of a branch in May.\n\nWhat would it cost?',
        locale: 'en-US',
      };
      const pattern = /\/api\/v1\/enquiries/;
      const isOne = (url: string): boolean => url.endsWith(enquiry.enquiryId);
      await page.route(pattern, (route) =>
        route.fulfill({ json: isOne(route.request().url()) ? enquiry : { items: [enquiry], nextCursor: null } }),
      );
      const read = page.waitForResponse((response) => isOne(response.url()));
      await firstRow('/enquiry')(page);
      await read;
      await page.unroute(pattern);
    },
  },
  { name: 'staff audit log', who: 'admin', rare: true, open: at('/auditLog') },
  { name: 'staff audit log entry', who: 'admin', rare: true, open: firstRow('/auditLog') },
  { name: 'staff privacy', who: 'admin', rare: true, open: at('/privacy') },
  { name: 'staff templates', who: 'admin', rare: true, open: at('/smsTemplate') },
  {
    name: 'records, date range',
    who: 'demo',
    everyLook: true,
    open: pressing('/bussinessStatistics/sendRecord', 'records.period'),
  },
];
