/** Code with its parts marked at build time: a class of two letters for each kind, which `docs.css` gives a colour. */
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import csharp from 'highlight.js/lib/languages/csharp';
import go from 'highlight.js/lib/languages/go';
import http from 'highlight.js/lib/languages/http';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import json from 'highlight.js/lib/languages/json';
import perl from 'highlight.js/lib/languages/perl';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';

const languages = { bash, csharp, go, http, ini, java, json, perl, php, python, typescript };
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

/** By the first word of the library's class; what is not listed has the colour of plain code. */
const classes: Readonly<Record<string, string>> = {
  keyword: 'ck',
  built_in: 'ck',
  literal: 'cs',
  string: 'cs',
  number: 'cs',
  regexp: 'cs',
  attr: 'cn',
  attribute: 'cn',
  property: 'cn',
  title: 'cn',
  section: 'cn',
  comment: 'cc',
  meta: 'cc',
};

/** Returns HTML. Code of an unknown language is only escaped. */
export function highlight(code: string, language: string): string {
  if (!Object.hasOwn(languages, language)) return escapeHtml(code);
  return hljs
    .highlight(code, { language })
    .value.replaceAll(/<span class="hljs-(\w+)[^"]*">/g, (_, kind: string) =>
      Object.hasOwn(classes, kind) ? `<span class="${classes[kind]}">` : '<span>',
    )
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'");
}

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
