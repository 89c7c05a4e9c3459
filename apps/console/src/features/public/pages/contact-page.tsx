import type { ContactCopy } from '../copy/shapes.ts';
import { ProseSection } from './prose-page.tsx';

const fields = [
  { name: 'name', type: 'text', autoComplete: 'name', required: true, maxLength: 100 },
  { name: 'email', type: 'email', autoComplete: 'email', required: true, maxLength: 254 },
  { name: 'company', type: 'text', autoComplete: 'organization', required: false, maxLength: 100 },
  { name: 'phone', type: 'tel', autoComplete: 'tel', required: false, maxLength: 40 },
] as const;

/** Error texts of the page's script, and the element that shows them. */
const problemProps = (name: string, missing: string) => ({
  'aria-describedby': problemId(name),
  'data-missing': missing,
});
const problemId = (name: string) => `enquiry-${name}`;
/** Next to the label, not in it: it is not part of the field's name. */
const FieldProblem = ({ name }: { name: string }) => <p className="field-problem is-danger" id={problemId(name)} />;

export function ContactPage({ copy }: { copy: ContactCopy }) {
  const { form } = copy;
  return (
    <div className="contact-columns">
      <form id="enquiry" noValidate data-sending={form.sending} data-many={form.tooMany} data-failed={form.failed}>
        <noscript>
          <p className="is-danger">{form.noScript}</p>
        </noscript>
        <div className="field-pairs">
          {fields.map(({ name, required, ...field }) => (
            <div key={name}>
              <label>
                <span>
                  {form[name]}
                  {!required && <small> {form.optional}</small>}
                </span>
                <input
                  name={name}
                  required={required}
                  {...field}
                  {...(required && problemProps(name, form.missing[name]))}
                  {...(name === 'email' && { 'data-wrong': form.badEmail })}
                />
              </label>
              {required && <FieldProblem name={name} />}
            </div>
          ))}
        </div>
        <label>
          <span>{form.message}</span>
          <textarea
            name="message"
            rows={7}
            required
            minLength={10}
            maxLength={4_000}
            {...problemProps('message', form.missing.message)}
          />
        </label>
        <FieldProblem name="message" />
        <label className="trap" aria-hidden="true">
          {form.trap}
          <input name="website" tabIndex={-1} autoComplete="off" />
        </label>
        <p className="form-problem is-danger" role="alert" />
        <p className="small ink-3">
          {form.privacy} <a href="/privacy-policy">{form.privacyLink}</a>
        </p>
        <button className="button is-primary is-large" type="submit">
          {form.submit}
        </button>
      </form>
      <section id="enquiry-done" className="form-done" tabIndex={-1} hidden>
        <h2>{form.done}</h2>
        <p>{form.doneText}</p>
      </section>
      <aside className="prose">
        {copy.aside.map((section) => (
          <ProseSection key={section.heading} section={section} />
        ))}
      </aside>
    </div>
  );
}
