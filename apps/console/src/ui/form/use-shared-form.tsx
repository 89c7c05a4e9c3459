import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { useSession } from '../../lib/api/session.ts';
import { readStoredForm, removeStoredForm, storedFormKey, storeForm } from '../../lib/stored-forms.ts';
import { holdUnsaved } from '../../lib/unsaved.ts';
import { RestoreOffer } from './restore-offer.tsx';
import { type FormOptions, useForm } from './use-form.ts';
import { VersionConflict } from './version-conflict.tsx';

/** The stored state of the entity that a form edits. */
export interface Stored<V> {
  values: V;
  version: number;
}

interface SharedFormOptions<V> extends Omit<FormOptions<V>, 'submit'> {
  /** The edited entity, `template:…`: its input is stored for this tab under it. */
  keep: string;
  /** The version that the form was filled from; null: a new entity, which no other user can have saved. */
  version: number | null;
  /** Reads the stored state, after another user saved. */
  read: () => Promise<Stored<V>>;
  /** Names of the fields that a conflict may be about. */
  labels: Partial<Record<Extract<keyof V, string>, string>>;
  /** A value as the conflict shows it; the text itself unless given. */
  show?: (name: Extract<keyof V, string>, values: V) => ReactNode;
  /** Sends with the version the change was made from; VERSION_CONFLICT asks the user. */
  submit: (values: V, version: number | null) => Promise<unknown>;
  /** Saves again once the user has chosen; `send` unless given. */
  retry?: (send: () => unknown) => unknown;
  /** Whether something is unsaved; compares with what the form was filled from unless given. */
  differs?: (values: V) => boolean;
}

interface Conflict<V> {
  stored: Stored<V>;
  editedBy: string;
  editedTime: string;
}

/**
 * A form of an entity that several users edit. It loses nothing: of two saves the second is shown the changes of the
 * first and the user chooses, and the input survives a reload.
 */
export function useSharedForm<V extends object>(options: SharedFormOptions<V>) {
  const { keep, read, labels, show, retry, differs, submit, ...rest } = options;
  const key = storedFormKey(useSession(), keep);
  const version = useRef(options.version);
  const [base, setBase] = useState(options.initial);
  const [conflict, setConflict] = useState<Conflict<V> | null>(null);
  /** Counts the choices to save: the form must contain them first. */
  const [again, setAgain] = useState(0);
  const [offer, setOffer] = useState(() => {
    const stored = readStoredForm<V>(key);
    return stored !== null && JSON.stringify(stored.values) !== JSON.stringify(options.initial) ? stored : null;
  });
  const drop = () => {
    removeStoredForm(key);
    setOffer(null);
  };

  /** Runs a save. If another user saved in between, the user is asked, and the result is undefined. */
  const guard = async <T,>(save: () => Promise<T>): Promise<T | undefined> => {
    try {
      const saved = await save();
      drop();
      return saved;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'VERSION_CONFLICT') throw error;
      const { editedBy = '', editedTime = '' } = error.params;
      setConflict({ stored: await read(), editedBy: String(editedBy), editedTime: String(editedTime) });
      return undefined;
    }
  };
  const form = useForm<V>({ ...rest, submit: (values) => guard(() => submit(values, version.current)) });
  const isDirty = differs?.(form.values) ?? JSON.stringify(form.values) !== JSON.stringify(base);

  const isUnsaved = useEffectEvent(() => isDirty);
  useEffect(() => holdUnsaved(() => isUnsaved()), []);
  useEffect(() => {
    if (isDirty) storeForm(key, { values: form.values, version: version.current });
  }, [isDirty, form.values, key]);
  const saveAgain = useEffectEvent(() => void (retry ? retry(form.send) : form.send()));
  useEffect(() => {
    if (again > 0) saveAgain();
  }, [again]);

  /** Applies the user's choice: the form continues from the version stored now. */
  const settle = (values: V, isSaved: boolean) => {
    if (conflict === null) return;
    version.current = conflict.stored.version;
    setBase(conflict.stored.values);
    form.set(values);
    setConflict(null);
    if (isSaved) setAgain(again + 1);
    else drop();
  };

  return {
    ...form,
    isDirty,
    guard,
    /** The version that the next save is made from. */
    version,
    /** A form that stays open after a save continues from the saved version. */
    saved: (next: number) => {
      version.current = next;
      setBase(form.values);
    },
    /** Closes the form by the user's choice: the input is discarded. */
    leaving: (onClose: () => void) => () => {
      drop();
      onClose();
    },
    /** Above the fields: the restored input, and the question after a conflict. */
    notices: (
      <>
        {offer && (
          <RestoreOffer
            onRestore={() => {
              version.current = offer.version;
              form.set(offer.values);
              setOffer(null);
            }}
            onDiscard={drop}
          />
        )}
        {conflict && (
          <VersionConflict
            base={base}
            labels={labels}
            show={show}
            mine={form.values}
            theirs={conflict.stored.values}
            editedBy={conflict.editedBy}
            editedTime={conflict.editedTime}
            onSettle={settle}
            onClose={() => setConflict(null)}
          />
        )}
      </>
    ),
  };
}
