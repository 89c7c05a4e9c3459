/** Samples that guides show by name; tests run them. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { makeReadSample, makeSendSample, type SampleLanguage, sampleLanguages, verifySamples } from '@pahatid/contract';

const folder = path.resolve(import.meta.dirname, '../../../packages/contract/src/samples');
const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');

/** Each language reads it from the environment. */
const appIds: Record<SampleLanguage, string> = {
  curl: '$PAHATID_APP_ID',
  node: '$'.concat('{process.env.PAHATID_APP_ID}'),
  python: "{os.environ['PAHATID_APP_ID']}",
};
const baseUrl = '{{origin}}/api/v1';

export const samples: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    sampleLanguages.flatMap((language) => {
      const target = { baseUrl, appId: appIds[language] };
      return [
        [`send-${language}`, makeSendSample(language, target)],
        [`read-${language}`, makeReadSample(language, target)],
      ];
    }),
  ),
  'verify-node': verifySamples.node,
  'verify-python': verifySamples.python,
  'verify-php': read('verify.php'),
  'verify-go': read('verify.go'),
  'verify-java': read('Verify.java'),
  'send-php': read('send.php'),
  'send-go': read('send.go'),
  'send-java': read('Send.java'),
  'send-csharp': read('Send.cs'),
};
