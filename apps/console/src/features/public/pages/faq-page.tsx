import { ArrowRight, Link2, Search } from 'lucide-react';
import { Icon } from '../../../ui/base/icon.tsx';
import { Glyph, type GlyphName } from '../../../ui/status/glyphs.tsx';
import { faq as english } from '../copy/en-US/faq.ts';
import type { FaqCopy, FaqItem } from '../copy/shapes.ts';
import './faq.css';

/** A link to an answer is the same in both languages. */
const idOf = (group: number, item: number): string =>
  (english.groups[group]?.items[item]?.question ?? '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
const groupId = (group: number): string => `subject-${group + 1}`;

/** Below the heading of the page. */
export function FaqSearch({ copy }: { copy: FaqCopy }) {
  const { search, often, groups } = copy;
  const count = groups.reduce((sum, { items }) => sum + items.length, 0);
  return (
    <div className="faq-search">
      <search>
        <form id="faq-search" data-found={search.found} data-none={search.none}>
          <Icon of={Search} />
          <input
            type="search"
            aria-label={search.label}
            placeholder={search.placeholder.replace('{n}', String(count))}
            autoComplete="off"
            aria-describedby="faq-found"
          />
          <span className="key-hint" aria-hidden="true">
            /
          </span>
        </form>
      </search>
      <p id="faq-found" role="status" />
      <p className="faq-often">
        <span>{search.often}</span>
        {often.map(([group, item, label]) => (
          <a key={label} href={`#${idOf(group, item)}`}>
            {label}
          </a>
        ))}
      </p>
    </div>
  );
}

/** Answers expand without a script. */
export function FaqPage({ copy }: { copy: FaqCopy }) {
  const { groups, search, contact } = copy;
  return (
    <div className="faq-columns">
      <div className="faq-index">
        <nav aria-label={search.index}>
          {groups.map(({ heading, items }, group) => (
            <a key={heading} href={`#${groupId(group)}`}>
              {heading}
              <span>{items.length}</span>
            </a>
          ))}
        </nav>
        <p>
          <b>{contact.heading}</b>
          {contact.text} <a href="/contact">{contact.link}</a>
        </p>
      </div>
      <div>
        {groups.map(({ heading, items }, group) => (
          <section key={heading} className="faq" id={groupId(group)}>
            <h2>{heading}</h2>
            <div>
              {items.map((item, index) => (
                <Answer key={item.question} item={item} id={idOf(group, index)} link={search.link} />
              ))}
            </div>
          </section>
        ))}
      </div>
    </div>
  );
}

function Answer({ item, id, link }: { item: FaqItem; id: string; link: string }) {
  return (
    <details id={id}>
      <summary>{item.question}</summary>
      <p>{item.answer}</p>
      {item.stages && <Stages stages={item.stages} />}
      <a className="answer-link" href={`#${id}`}>
        <Icon of={Link2} size="small" />
        {link}
      </a>
    </details>
  );
}

const stageLooks: readonly { glyph: GlyphName; tone: string }[] = [
  { glyph: 'tick', tone: 'primary' },
  { glyph: 'dots', tone: 'neutral' },
  { glyph: 'done', tone: 'success' },
];

function Stages({ stages }: { stages: NonNullable<FaqItem['stages']> }) {
  return (
    <ol className="answer-stages">
      {stages.map(({ name, text }, index) => (
        <li key={name}>
          {index > 0 && <Icon of={ArrowRight} size="small" mirror />}
          <span className={`status tone-${stageLooks[index]?.tone}`}>
            <Glyph name={stageLooks[index]?.glyph ?? 'dots'} />
            {name}
          </span>
          <span>{text}</span>
        </li>
      ))}
    </ol>
  );
}
