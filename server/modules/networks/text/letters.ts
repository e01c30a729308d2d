/** The letters, digits and emoji of a text. Networks keep these, and some change its lines and marks. */
export const lettersOf = (text: string) => text.normalize('NFC').replace(/[^\p{L}\p{N}\p{Extended_Pictographic}]/gu, '')
