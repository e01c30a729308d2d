import { describe, expect, test } from 'vitest'
import { firstWeekday, fromWall, moveWall, toWall } from '../console/ui/text/time-zone.ts'

describe('wall times in a time zone', () => {
  test.each([
    ['Europe/Istanbul', '2026-07-01 09:00:00', '2026-07-01T06:00:00.000Z'],
    ['Europe/Berlin', '2026-03-28 09:00:00', '2026-03-28T08:00:00.000Z'],
    ['Europe/Berlin', '2026-03-29 09:00:00', '2026-03-29T07:00:00.000Z'],
    ['Australia/Lord_Howe', '2026-12-01 09:00:00', '2026-11-30T22:00:00.000Z'],
    ['Asia/Kathmandu', '2026-12-01 09:00:00', '2026-12-01T03:15:00.000Z'],
    ['Pacific/Kiritimati', '2026-01-01 00:00:00', '2025-12-31T10:00:00.000Z'],
  ])('in %s the wall time %s converts to %s and back', (zone, wall, time) => {
    expect(fromWall(zone, wall).toISOString()).toBe(time)
    expect(toWall(zone, time)).toBe(wall)
  })

  test('a wall time that occurs twice means the first of the two', () => {
    expect(fromWall('Europe/Berlin', '2026-10-25 02:30:00').toISOString()).toBe('2026-10-25T00:30:00.000Z')
    expect(fromWall('America/New_York', '2026-11-01 01:30:00').toISOString()).toBe('2026-11-01T05:30:00.000Z')
  })

  test('a wall time that is skipped moves forward by the length of the gap', () => {
    expect(fromWall('Europe/Berlin', '2026-03-29 02:30:00').toISOString()).toBe('2026-03-29T01:30:00.000Z')
    expect(toWall('Europe/Berlin', '2026-03-29T01:30:00.000Z')).toBe('2026-03-29 03:30:00')
  })

  test('every hour of two years converts to a wall time and back, except when clocks are turned back', () => {
    const wrong: string[] = []
    for (const zone of ['Europe/Istanbul', 'America/Santiago', 'Africa/Cairo', 'Africa/Casablanca', 'Pacific/Chatham'])
      for (let time = Date.UTC(2026, 0); time < Date.UTC(2028, 0); time += 3600_000) {
        const wall = toWall(zone, new Date(time))
        const early = time - fromWall(zone, wall).getTime()
        if (early !== 0 && early !== 3600_000) wrong.push(`${zone} ${wall}: ${early} ms`)
      }
    expect(wrong).toEqual([])
  })

  test('moving by days keeps the wall time, across changes of the clocks', () => {
    expect(moveWall('2026-03-28 09:15:00', { days: 1 })).toBe('2026-03-29 09:15:00')
    expect(moveWall('2026-12-31 23:30:00', { hours: 1 })).toBe('2027-01-01 00:30:00')
  })
})

test('weeks begin on the first weekday of the locale', () => {
  expect([firstWeekday('tr'), firstWeekday('en-GB'), firstWeekday('en-US')]).toEqual([1, 1, 0])
})
