/**
 * A text that anyone may have written, within a line of ours: a line end in it would begin a line that we seem to have
 * written, and an override of direction would turn the rest of ours around.
 */
export const oneLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')
