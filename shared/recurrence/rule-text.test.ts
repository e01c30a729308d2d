import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { weekdays } from './draft.ts'
import type { TextLanguage } from './names.ts'
import { readRuleText } from './read.ts'
import { writeRuleText } from './write.ts'

const TODAY = '2026-11-29'
const read = (text: string, language: TextLanguage = 'en') => readRuleText(text, language, TODAY)
const rule = (text: string) => {
  const result = read(text)
  return 'rule' in result ? [result.rule, result.time, result.starts_on] : result
}

describe('a text is read as a rule', () => {
  test.each([
    ['every second Tuesday at 09:00 until June', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;UNTIL=20270531', '09:00', null],
    ['daily at 7 pm', 'FREQ=DAILY', '19:00', null],
    ['every other day at noon', 'FREQ=DAILY;INTERVAL=2', '12:00', null],
    ['Every weekday, 8:30am', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', '08:30', null],
    ['weekly on Thu and Mon at 18:00, 6 times', 'FREQ=WEEKLY;BYDAY=MO,TH;COUNT=6', '18:00', null],
    ['every three weeks on Sunday', 'FREQ=WEEKLY;INTERVAL=3;BYDAY=SU', null, null],
    ['on the last Friday of every month at 17:00', 'FREQ=MONTHLY;BYDAY=-1FR', '17:00', null],
    ['every 2 months on the second Monday', 'FREQ=MONTHLY;INTERVAL=2;BYDAY=2MO', null, null],
    ['on the 15th of every month from 1 March', 'FREQ=MONTHLY;BYMONTHDAY=15', null, '2027-03-01'],
    ['every month on the last day', 'FREQ=MONTHLY;BYMONTHDAY=-1', null, null],
    ['every week from 2026-12-01', 'FREQ=WEEKLY;BYDAY=TU', null, '2026-12-01'],
    ['every year on March 3rd', 'FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=3', null, '2027-03-03'],
    ['every 29 February', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29', null, '2028-02-29'],
    ['every Monday through June 2027', 'FREQ=WEEKLY;BYDAY=MO;UNTIL=20270630', null, null],
    ['every Monday until the end of the year', 'FREQ=WEEKLY;BYDAY=MO;UNTIL=20261231', null, null],
    ['iki haftada bir salı 09:00, hazirana kadar', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;UNTIL=20270531', '09:00', null],
    ['İKİ HAFTADA BİR SALI 09.00', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU', '09:00', null],
    ['her pazartesi, carsamba ve cuma saat 18:30', 'FREQ=WEEKLY;BYDAY=MO,WE,FR', '18:30', null],
    ['hafta içi her gün 08:30', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', '08:30', null],
    ['gün aşırı 10:00’da, 5 kez', 'FREQ=DAILY;INTERVAL=2;COUNT=5', '10:00', null],
    ["her ayın 15'inde", 'FREQ=MONTHLY;BYMONTHDAY=15', null, null],
    ['iki ayda bir ayın son günü', 'FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=-1', null, null],
    ['her ayın ilk pazartesi günü', 'FREQ=MONTHLY;BYDAY=1MO', null, null],
    ["3 Mart 2027'den itibaren her gün", 'FREQ=DAILY', null, '2027-03-03'],
    ['her cuma haziran sonuna kadar', 'FREQ=WEEKLY;BYDAY=FR;UNTIL=20270630', null, null],
    ['her yıl 29 Ekim', 'FREQ=YEARLY;BYMONTH=10;BYMONTHDAY=29', null, '2027-10-29'],
    ["aralığa kadar her salı 31.10.2027'den itibaren", 'FREQ=WEEKLY;BYDAY=TU;UNTIL=20271130', null, '2027-10-31'],
  ])('%s', (text, ...expected) => {
    expect(rule(text)).toEqual(expected)
  })
})

describe('a text that cannot be read is refused with its part', () => {
  test.each([
    ['every Monday banana split at 09:00', 'not_understood', 'banana split', []],
    ['her salı muz 09:00', 'not_understood', 'muz', []],
    ['every day at 9', 'ambiguous', 'at 9', ['at 09:00', 'at 21:00']],
    ['her gün saat 9', 'ambiguous', 'saat 9', ['saat 09:00', 'saat 21:00']],
    [
      'every third Tuesday',
      'ambiguous',
      'every third Tuesday',
      ['every 3 weeks on Tuesday', 'on the third Tuesday of every month'],
    ],
    ['her ikinci salı', 'ambiguous', 'her ikinci salı', ['2 haftada bir salı', 'her ayın ikinci salı günü']],
    ['biweekly on Monday', 'ambiguous', 'biweekly', ['every 2 weeks']],
    ['every Monday until 9/3/2027', 'ambiguous', '9/3/2027', ['2027-03-09', '2027-09-03']],
    ['every week at 09:00', 'missing', '', ['on Tuesday']],
    ['at 09:00', 'missing', '', ['every Tuesday']],
    ['', 'missing', '', ['every Tuesday']],
    ['every day on Monday', 'contradiction', '', []],
    ['every Monday until June, 5 times', 'contradiction', '', []],
    ['every Monday and at 09:00 and at 10:00', 'said_twice', 'at 10:00', []],
    ['every 500 days', 'number', 'every 500 days', []],
    ['every day at 25:00', 'number', 'at 25:00', []],
    ['every year on 31 June', 'no_date', 'on 31 June', []],
    ['every day until end of December 9999', 'no_date', 'until end of December 9999', []],
    ['every day until January 0500', 'no_date', 'until January 0500', []],
    ['every day until 2020-01-01', 'no_date', 'until 2020-01-01', []],
  ])('%s', (text, code, part, suggestions) => {
    expect(read(text)).toEqual({ code, part, suggestions })
  })

  test('suggestions can be read in place of the part', () => {
    for (const text of ['every day at 9', 'every third Tuesday', 'her ikinci salı', 'every Monday until 9/3/2027']) {
      const result = read(text)
      if ('rule' in result) throw new Error('It was read')
      expect(result.suggestions.length).toBe(2)
      for (const suggestion of result.suggestions)
        expect(read(text.replace(result.part, suggestion))).toHaveProperty('rule')
    }
  })

  test('no text throws', () => {
    const words = [
      'every',
      'her',
      '2',
      'second',
      'salı',
      'Tuesday',
      'until',
      'kadar',
      'June',
      '31',
      '09:00',
      'ayın',
      'son',
    ]
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.array(fc.constantFrom(...words)).map((list) => list.join(' ')),
    )
    fc.assert(
      fc.property(text, fc.constantFrom<TextLanguage>('en', 'tr'), (given, language) => {
        const result = read(given, language)
        if (!('rule' in result)) expect(given).toContain(result.part)
      }),
    )
  })
})

describe('a rule is written as a text', () => {
  const days = fc.subarray([...weekdays], { minLength: 1 }).map((list) => list.join(','))
  const by = fc.oneof(
    fc.constant(['DAILY', '']),
    days.map((list) => ['WEEKLY', `;BYDAY=${list}`]),
    fc.integer({ min: 1, max: 31 }).map((day) => ['MONTHLY', `;BYMONTHDAY=${day}`]),
    fc.constant(['MONTHLY', ';BYMONTHDAY=-1']),
    fc
      .tuple(fc.constantFrom(1, 2, 3, 4, -1), fc.constantFrom(...weekdays))
      .map(([place, day]) => ['MONTHLY', `;BYDAY=${place}${day}`]),
    fc
      .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 }))
      .map(([month, day]) => ['YEARLY', `;BYMONTH=${month};BYMONTHDAY=${day}`]),
  )
  const end = fc.oneof(
    fc.constant(''),
    fc.integer({ min: 1, max: 1000 }).map((count) => `;COUNT=${count}`),
    fc
      .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 }))
      .map(([month, day]) => `;UNTIL=2028${String(month).padStart(2, '0')}${String(day).padStart(2, '0')}`),
  )
  const time = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'))

  test('which reads as the same rule, in both languages', () => {
    fc.assert(
      fc.property(by, fc.integer({ min: 1, max: 400 }), end, time, ([unit, part], interval, last, at) => {
        const written = `FREQ=${unit}${interval > 1 ? `;INTERVAL=${interval}` : ''}${part}${last}`
        for (const language of ['en', 'tr'] as const) {
          const text = writeRuleText({ rule: written, starts_at: `2026-12-01T${at}` }, language)
          expect(read(text ?? '', language), text ?? written).toMatchObject({ rule: written, time: at })
        }
      }),
      { numRuns: 300 },
    )
  })

  test('the days that it leaves open are those of its start', () => {
    const starts_at = '2026-12-01T09:30'
    expect(writeRuleText({ rule: 'FREQ=WEEKLY', starts_at }, 'en')).toBe('every Tuesday at 09:30')
    expect(writeRuleText({ rule: 'FREQ=MONTHLY', starts_at }, 'en')).toBe('every month on day 1 at 09:30')
    expect(writeRuleText({ rule: 'FREQ=YEARLY', starts_at }, 'tr')).toBe('her yıl 1 Aralık saat 09:30')
  })

  test('one that words cannot say has no text', () => {
    for (const rule of [
      'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
      'FREQ=DAILY;UNTIL=20261231T205959Z',
      'FREQ=WEEKLY;BYDAY=MO;WKST=SU',
      'FREQ=MONTHLY;BYDAY=1MO,3MO',
      'FREQ=MONTHLY;BYMONTHDAY=1,15',
      'FREQ=DAILY;BYMONTH=6',
    ])
      expect(writeRuleText({ rule, starts_at: '2026-12-01T09:30' }, 'en'), rule).toBeNull()
  })
})
