import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
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

describe('a setting from a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'meydan-settings-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const secret = 'a secret of more than 32 characters'
  const fileOf = (content: string | Uint8Array) => {
    const path = join(folder, `${Math.random()}`)
    writeFileSync(path, content)
    return path
  }

  test('every setting can be in the file that NAME_FILE names, and counts as given', () => {
    const config = readConfig({ SECRET_KEY_FILE: fileOf(secret), PORT_FILE: fileOf('4000') })
    expect(config).toMatchObject({ SECRET_KEY: secret, PORT: 4000 })
    expect(config.given).toEqual(new Set(['PORT', 'SECRET_KEY']))
  })

  test.each(['\n', '\r\n', '\n\n', ' \n'])('what ends the file does not count: %j', (end) => {
    expect(readConfig({ SECRET_KEY_FILE: fileOf(secret + end) }).SECRET_KEY).toBe(secret)
  })

  test('an empty NAME_FILE counts as absent', () => {
    expect(readConfig({ SECRET_KEY_FILE: ' ', SECRET_KEY: secret }).SECRET_KEY).toBe(secret)
  })

  const refusal = (env: Record<string, string>) => {
    try {
      readConfig(env)
    } catch (error) {
      if (error instanceof ConfigError) return error.message
      throw error
    }
    return 'started'
  }

  test('a setting and its file are not both set', () => {
    const message = refusal({ SECRET_KEY: secret, SECRET_KEY_FILE: fileOf(secret) })
    expect(message).toContain('\nSECRET_KEY and SECRET_KEY_FILE are both set. Remove one of them')
    expect(message).not.toContain(secret)
  })

  test.each([
    ['an absent file', join(folder, 'absent'), /cannot be read \(ENOENT\)/],
    ['a folder', folder, /cannot be read \(EISDIR\)/],
    ['an empty file', fileOf(' \n'), /is empty/],
    ['a file of other lines', fileOf(`SECRET_KEY=x\n${secret}\n`), /has several lines/],
    ['a file that is no text', fileOf(new Uint8Array([255, 254, 65, 0])), /cannot be read/],
  ])('%s is refused, and the message names the key', (_, path, reason) => {
    const message = refusal({ SECRET_KEY_FILE: path })
    expect(message).toMatch(/\nSECRET_KEY_FILE names a file that /)
    expect(message).toMatch(reason)
    expect(message).not.toContain(secret)
  })

  test('neither a malformed secret nor what stands in place of a path is in the message', () => {
    expect(refusal({ SMTP_URL_FILE: fileOf('smtp//user:hunter2@mail') })).toMatch(/^(?!.*hunter2).*\nSMTP_URL must be/s)
    expect(refusal({ SECRET_KEY_FILE: secret })).not.toContain(secret)
  })
})

describe('sign-up, if SIGN_UP is unset', () => {
  const signUpAt = (BASE_URL: string) => readConfig({ BASE_URL }).SIGN_UP

  test.each([
    'http://localhost:3000',
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
    'http://192.168.1.4:3000',
    'https://10.1.2.3',
    'http://172.20.0.2',
    'http://100.64.3.2',
    'http://[fd12::1]',
    'http://nas:3000',
    'http://nas.local',
    'https://meydan.home.arpa',
    'https://meydan.corp.internal',
  ])('is open at %s, which others cannot reach', (address) => {
    expect(signUpAt(address)).toBe('open')
  })

  test.each([
    'https://meydan.example.com',
    'http://93.184.216.34',
    'http://172.32.0.1',
    'https://[2606:4700::1]',
    'https://local.example.com',
  ])('is by invitation at %s, which is public', (address) => {
    expect(signUpAt(address)).toBe('invitation')
  })

  test('is open without a BASE_URL, and as SIGN_UP says with one', () => {
    expect(readConfig({}).SIGN_UP).toBe('open')
    expect(readConfig({ BASE_URL: 'https://meydan.example.com', SIGN_UP: 'open' }).SIGN_UP).toBe('open')
  })
})
