export const MAX_FILE_BYTES = 20 * 1024 * 1024
export const MAX_ROWS = 5000
export const MAX_COLUMNS = 120
/** Largest row, in bytes of its text. */
export const MAX_RECORD_BYTES = 256 * 1024
/** Bytes of all texts. The cells of a workbook can share one text, so that a small file has gigabytes of them. */
export const MAX_TEXT_BYTES = 64 * 1024 * 1024
