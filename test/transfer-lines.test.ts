import { expect, test } from 'vitest'
import { consoleModule } from './console-module.ts'

type Module = {
  transferLines: (instructions: string) => object[]
  copied: (value: string) => string
}
const { transferLines, copied } = await consoleModule<Module>('features/billing/checkout/transfer-lines.ts')

test('each line of how to pay that has a name can be copied, and so can an IBAN alone', () => {
  const lines = transferLines(`Pay by transfer, please.

IBAN: TR33 0006 1005 1978 6457 8413 26
 Alıcı : Meydan Yazılım A.Ş.
TR33 0006 1005 1978 6457 8413 26
https://bank.example/pay
Note:`)
  expect(lines).toEqual([
    { text: 'Pay by transfer, please.' },
    { name: 'IBAN', value: 'TR33 0006 1005 1978 6457 8413 26' },
    { name: 'Alıcı', value: 'Meydan Yazılım A.Ş.' },
    { name: 'IBAN', value: 'TR33 0006 1005 1978 6457 8413 26' },
    { text: 'https://bank.example/pay' },
    { text: 'Note:' },
  ])
})

test('an IBAN is copied without its spaces, and everything else as it is shown', () => {
  expect(copied('TR33 0006 1005 1978 6457 8413 26')).toBe('TR330006100519786457841326')
  expect(copied('Meydan Yazılım A.Ş.')).toBe('Meydan Yazılım A.Ş.')
})
