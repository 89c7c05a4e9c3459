import { accountRequestChannels, accountRequestUses, accountRequestVolumes } from '@pahatid/contract';
import type { ReactNode } from 'react';
import type { RequestCopy } from '../../copy/shapes.ts';

type FormCopy = RequestCopy['form'];

const problemId = (name: string) => `request-${name}`;
/** Error texts of the page's script, and the element that shows them. */
const problemProps = (name: string, missing: string) => ({
  'aria-describedby': problemId(name),
  'data-missing': missing,
});
/** Next to the label, not in it: it is not part of the field's name. */
const Problem = ({ name }: { name: string }) => <p className="field-problem is-danger" id={problemId(name)} />;

const lines = {
  name: { type: 'text', autoComplete: 'name', maxLength: 100 },
  company: { type: 'text', autoComplete: 'organization', maxLength: 100 },
  email: { type: 'email', autoComplete: 'email', maxLength: 254 },
  phone: { type: 'tel', autoComplete: 'tel', maxLength: 40 },
  senderId: { type: 'text', autoComplete: 'off', maxLength: 20 },
  firstMessageDay: { type: 'date', autoComplete: 'off' },
} as const;

function Line({ name, copy }: { name: keyof typeof lines; copy: FormCopy }) {
  const missing = name in copy.missing ? copy.missing[name as 'name' | 'company' | 'email'] : null;
  return (
    <div>
      <label>
        <span>
          {copy[name]}
          {missing === null && <small> {copy.optional}</small>}
        </span>
        <input
          name={name}
          {...lines[name]}
          {...(missing !== null && { required: true, ...problemProps(name, missing) })}
          {...(name === 'email' && { 'data-wrong': copy.badEmail })}
        />
      </label>
      {missing !== null && <Problem name={name} />}
    </div>
  );
}

interface GroupProps {
  name: 'uses' | 'volume' | 'channels' | 'consent';
  label?: ReactNode;
  missing?: string;
  className: string;
  children: ReactNode;
}

/** Choices. With `missing`, one must be made. */
function Group({ name, label, missing, className, children }: GroupProps) {
  return (
    <fieldset {...(missing !== undefined && problemProps(name, missing))}>
      {label && <legend>{label}</legend>}
      <div className={className}>{children}</div>
      {missing !== undefined && <Problem name={name} />}
    </fieldset>
  );
}

function Option({ name, value, copy }: { name: string; value: string; copy: readonly [string, string] }) {
  return (
    <label className="request-option">
      <input type="checkbox" name={name} value={value} />
      <b>{copy[0]}</b>
      <small>{copy[1]}</small>
    </label>
  );
}

export function RequestForm({ copy }: { copy: FormCopy }) {
  const { missing } = copy;
  return (
    <form
      id="request"
      className="request-card request-form"
      noValidate
      data-sending={copy.sending}
      data-many={copy.tooMany}
      data-failed={copy.failed}
    >
      <noscript>
        <p className="is-danger">{copy.noScript}</p>
      </noscript>
      <div className="field-pairs">
        {(['name', 'company', 'email', 'phone'] as const).map((name) => (
          <Line key={name} name={name} copy={copy} />
        ))}
      </div>
      <Group name="uses" label={copy.uses} missing={missing.uses} className="request-options is-three">
        {accountRequestUses.map((value) => (
          <Option key={value} name="uses" value={value} copy={copy.use[value]} />
        ))}
      </Group>
      <Group name="volume" label={copy.volume} missing={missing.volume} className="request-volumes">
        {accountRequestVolumes.map((value) => (
          <label key={value}>
            <input type="radio" name="monthlyVolume" value={value} />
            <span>{copy.volumes[value]}</span>
          </label>
        ))}
      </Group>
      <Group
        name="channels"
        label={
          <>
            {copy.channels} <small>{copy.optional}</small>
          </>
        }
        className="request-options"
      >
        {accountRequestChannels.map((value) => (
          <Option key={value} name="channels" value={value} copy={copy.channel[value]} />
        ))}
      </Group>
      <div className="field-pairs">
        <Line name="senderId" copy={copy} />
        <Line name="firstMessageDay" copy={copy} />
      </div>
      <label>
        <span>
          {copy.message}
          <small> {copy.optional}</small>
        </span>
        <textarea name="message" rows={4} maxLength={2_000} />
      </label>
      <label className="trap" aria-hidden="true">
        {copy.trap}
        <input name="website" tabIndex={-1} autoComplete="off" />
      </label>
      <Group name="consent" missing={missing.consent} className="request-consent">
        <label>
          <input type="checkbox" name="consent" />
          <span>{copy.consent}</span>
        </label>
        <a href="/privacy-policy">{copy.consentLink}</a>
      </Group>
      <p className="form-problem is-danger" role="alert" />
      <button className="button is-primary is-large" type="submit">
        {copy.submit}
      </button>
    </form>
  );
}
