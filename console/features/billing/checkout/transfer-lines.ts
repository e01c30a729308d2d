type TransferLine = { name: string; value: string } | { text: string }

const isIban = (value: string) => /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(value.replaceAll(' ', ''))

/** The form in which an IBAN is copied: forms of banks may have room for its letters and digits only. */
export const copied = (value: string) => (isIban(value) ? value.replaceAll(' ', '') : value)

/** The lines of how to pay. One such as `IBAN: TR33 …` has a name, and so has an IBAN alone. */
export const transferLines = (instructions: string): TransferLine[] =>
  instructions
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      if (isIban(line)) return { name: 'IBAN', value: line }
      // An address such as `https://…` is no line with a name.
      const [, name, value] = /^([^:]{1,40}):\s*(?!\/\/)(\S.*)$/.exec(line) ?? []
      return name !== undefined && value !== undefined ? { name: name.trim(), value } : { text: line }
    })
