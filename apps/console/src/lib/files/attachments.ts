/** Files that go within a call, as base64: a receipt, a scan. */
export const attachmentTypes: readonly string[] = ['application/pdf', 'image/png', 'image/jpeg'];

export interface Attachment {
  name: string;
  type: string;
  /** Base64. */
  content: string;
}

export const toBase64 = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      const { result } = reader;
      if (typeof result === 'string') resolve(result.replace(/^[^,]*,/, ''));
    };
    reader.onerror = () => reject(reader.error ?? new Error('the file could not be read'));
    reader.readAsDataURL(file);
  });

export const attachmentBlob = ({ content, type }: Attachment): Blob =>
  new Blob([Uint8Array.from(atob(content), (character) => character.charCodeAt(0))], { type });

/** As a call takes it. */
export const toAttachment = async (file: File): Promise<{ name: string; content: string }> => ({
  name: file.name.slice(-200),
  content: await toBase64(file),
});

export const isAttachment = (file: File, limitBytes: number): boolean =>
  file.size <= limitBytes && attachmentTypes.includes(file.type);
