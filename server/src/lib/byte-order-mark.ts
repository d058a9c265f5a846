/** Removes the mark that some editors write at the beginning of a file. */
export const withoutByteOrderMark = (text: string): string => text.replace(/^\uFEFF/, '')
