import { uuidV7 } from '@pahatid/db';
import { makeLanes, mixedLanes } from '../../process/lanes.ts';
import type { JobList } from '../../sending/job-context.ts';
import { parseNextFile } from './parse-next-file.ts';

export const fileJobs: JobList = ({ context }) =>
  makeLanes(mixedLanes).map((lane) => ({
    name: 'parse',
    everyMs: 1_000,
    wakeOn: 'file' as const,
    step: () => parseNextFile({ ...context, owner: uuidV7() }, { lane }),
  }));
