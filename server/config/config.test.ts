import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigError, forgetProviderVariables, keys, providerVariables, readConfig } from './config.ts'

describe('the settings', () => {
  test('the defaults start a complete Meydan', () => {
    const config = readConfig({})
    expect(config).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
      ROLE: 'all',
      TRUST_PROXY: false,
      DATABASE_URL: undefined,
    })
    expect(config.DATA_DIR).toMatch(/^\/.*\/data$/)
    expect(config.WEBHOOK_RETRY_SCHEDULE).toEqual([0, 5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400])
  })

  test('an empty value counts as absent', () => {
    const config = readConfig({ PORT: ' ', SMTP_URL: '', SIGN_UP: 'open', UNKNOWN: 'x' })
    expect(config).toMatchObject({ PORT: 3000, SMTP_URL: undefined })
    expect(config.given).toEqual(new Set(['SIGN_UP']))
  })

  test('a password in DATABASE_URL may contain a comma', () => {
    const DATABASE_URL = 'postgres://meydan:a,b@db.example.com/meydan'
    expect(readConfig({ DATABASE_URL }).DATABASE_URL).toBe(DATABASE_URL)
  })

  test('an empty list of AI ranges allows none, and an absent one allows this machine', () => {
    expect(readConfig({ AI_ALLOW_CIDRS: ' ' }).AI_ALLOW_CIDRS).toEqual([])
    expect(readConfig({}).AI_ALLOW_CIDRS).toHaveLength(2)
  })

  test('variables that the AI packages read by themselves are removed from the environment', () => {
    const sources = globSync('node_modules/{@ai-sdk/*,ai}/dist/**/*.js', { cwd: join(import.meta.dirname, '../..') })
    const read = sources.flatMap((file) => [
      ...readFileSync(join(import.meta.dirname, '../..', file), 'utf8').matchAll(
        /environmentVariableName: *["'](\w+)["']|process\.env\.(VERCEL_\w+)/g,
      ),
    ])
    const names = new Set(read.map(([, name, other]) => name ?? other))
    expect(names.size).toBeGreaterThan(8)
    expect([...names].filter((name) => !providerVariables.includes(name ?? ''))).toEqual([])

    const former = { ...process.env }
    for (const name of providerVariables) process.env[name] = 'somebody else’s'
    forgetProviderVariables()
    expect(providerVariables.filter((name) => name in process.env)).toEqual([])
    Object.assign(process.env, former)
  })

  test.each([
    ['PORT', '70000'],
    ['PORT', '3e3'],
    ['BASE_URL', 'example.com'],
    ['BASE_URL', 'https://example.com/app'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DATABASE_URL', 'postgres://a:5432,b:5432/meydan'],
    ['DATABASE_URL', 'postgres://a,b/meydan'],
    ['DATABASE_URL', 'postgres://a:port/meydan'],
    ['SECRET_KEY', 'short'],
    ['ADMIN_EMAIL', 'nobody'],
    ['ADMIN_EMAIL', 'admin@localhost'],
    ['ADMIN_EMAIL', 'a b@example.com'],
    ['ROLE', 'both'],
    ['SMTP_URL', 'http://mail'],
    ['SMTP_URL', 'smtp://'],
    ['SMTP_URL', 'smtp://user:50%@mail.example.com'],
    ['MAIL_FROM', 'a\r\nbcc: b@example.com'],
    ['MAIL_FROM', 'a@example.com, b@example.com'],
    ['AI_ALLOW_CIDRS', '10.0.0.0'],
    ['WEBHOOK_ALLOW_CIDRS', '10.0.0.0/8,home'],
    ['WEBHOOK_RETRY_SCHEDULE', '0,soon'],
    ['WEBHOOK_RETRY_SCHEDULE', '5,10'],
    ['WEBHOOK_RETRY_SCHEDULE', '0,99999999999'],
    ['WEBHOOK_TIMEOUT_MS', '-1'],
    ['WEBHOOK_TIMEOUT_MS', '60000'],
    ['API_TOKEN_SCOPES_REQUIRED', 'yes'],
    ['LOG_LEVEL', 'loud'],
    ['TIMINGS_DIVISOR', '0'],
    ['TIMINGS_DIVISOR', '101'],
  ])('the setting %s=%j is refused, and the message names the key', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} `, 'm'))
  })

  test('the message lists every invalid setting', () => {
    expect(() => readConfig({ PORT: 'x', ROLE: 'x' })).toThrow(/PORT .*\nROLE /)
  })

  test.each([
    [{ ROLE: 'api' }, /ROLE api requires DATABASE_URL/],
    [{ ROLE: 'worker', DATABASE_URL: 'postgres://h/d' }, /SECRET_KEY must be set/],
    [{ ADMIN_EMAIL: 'a@example.com' }, /ADMIN_PASSWORD must be set/],
  ])('%j is refused because a setting that it requires is missing', (env, message) => {
    expect(() => readConfig(env)).toThrow(ConfigError)
    expect(() => readConfig(env)).toThrow(message)
  })

  test.each([
    {},
    { BASE_URL: 'http://127.0.0.1:3000' },
    { BASE_URL: 'http://[::1]:3000' },
    { BASE_URL: 'http://localhost:3000' },
    { BASE_URL: 'http://meydan.test', DATABASE_URL: 'postgres://meydan@/test_1?host=/run/postgresql' },
    { DATABASE_URL: 'postgres://meydan:secret@db.example.com:5433/test_1' },
  ])('a TIMINGS_DIVISOR is taken by an instance of tests: %j', (env) => {
    expect(readConfig({ ...env, TIMINGS_DIVISOR: '20' }).TIMINGS_DIVISOR).toBe(20)
  })

  test.each([
    { BASE_URL: 'https://meydan.example.com' },
    { BASE_URL: 'http://127.0.0.1.example.com' },
    { BASE_URL: 'http://contest' },
    { BASE_URL: 'http://192.168.1.4:3000' },
    { DATABASE_URL: 'postgres://meydan:secret@localhost/meydan' },
    { DATABASE_URL: 'postgres://meydan@/meydan?host=/run/test_1' },
    { DATABASE_URL: 'postgres://test_1@localhost' },
    { DATABASE_URL: 'postgres://localhost/test_1', DATABASE_DIRECT_URL: 'postgres://localhost/meydan' },
    { DATABASE_URL: 'postgres://localhost/test_1', BASE_URL: 'https://meydan.example.com' },
  ])('a TIMINGS_DIVISOR is refused by an instance that people may use, which needs its whole leases: %j', (env) => {
    expect(() => readConfig({ ...env, TIMINGS_DIVISOR: '20' })).toThrow(ConfigError)
    expect(() => readConfig({ ...env, TIMINGS_DIVISOR: '2' })).toThrow(/^TIMINGS_DIVISOR .* Remove it, or /m)
    expect(readConfig({ ...env, TIMINGS_DIVISOR: '1' }).TIMINGS_DIVISOR).toBe(1)
  })

  test('every setting is described in whole sentences', () => {
    for (const { doc } of Object.values(keys)) expect(doc).toMatch(/^[A-Z`].*\.$/s)
  })
})
