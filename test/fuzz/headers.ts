import fc from 'fast-check'
import type { Operation } from './document.ts'
import type { Plan } from './requests.ts'
import { anyText, deferred, mostly } from './values.ts'

/** Header fields cannot contain control characters, and undici sends only Latin-1. */
const headerText = anyText.map((text) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '').slice(0, 500))

const contentTypes = fc.constantFrom(
  ...[
    'application/json\ta',
    'text/plain',
    '',
    'application/json; charset=utf-16',
    'application/json;',
    'Application/JSON',
  ],
  ...[
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=b',
    'application/merge-patch+json',
    'json',
    '*/*',
    ',',
  ],
)

const ownHeaders: Record<string, fc.Arbitrary<unknown>> = {
  'X-Workspace-Id': fc.oneof(
    deferred((values) => values.workspace_id),
    deferred((values, n) => values.foreignId('workspaces', n)),
    headerText,
  ),
  'Idempotency-Key': fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'c', 'd') },
    { weight: 2, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: headerText },
    { weight: 1, arbitrary: fc.constantFrom('x'.repeat(255), 'x'.repeat(256), '', 'a b') },
  ),
  'If-Match': fc.oneof(
    { weight: 3, arbitrary: deferred((values, n) => values.etag(n)) },
    {
      weight: 2,
      arbitrary: fc.constantFrom('*', '"1"', '"0"', 'W/"1"', '1', '"1", "2"', '"', '""', ',', '"99999999999999999999"'),
    },
    { weight: 1, arbitrary: headerText },
  ),
}

const commonHeader: fc.Arbitrary<[string, unknown]> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(fc.constant('x-request-id'), mostly(5, fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/), headerText)),
  },
  { weight: 4, arbitrary: fc.tuple(fc.constant('content-type'), contentTypes) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('content-type'), headerText) },
  {
    weight: 1,
    arbitrary: fc.tuple(
      fc.constant('sec-fetch-site'),
      fc.constantFrom('cross-site', 'same-site', 'same-origin', 'none', ''),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(
      fc.constant('origin'),
      fc.oneof(fc.constantFrom('https://evil.example', 'null', ''), headerText),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(
      fc.constant('accept'),
      fc.oneof(fc.constantFrom('text/html', 'application/xml', '*/*;q=0', ''), headerText),
    ),
  },
  { weight: 1, arbitrary: fc.tuple(fc.constant('user-agent'), headerText) },
  {
    weight: 1,
    arbitrary: fc.tuple(
      fc.constantFrom('x-forwarded-for', 'forwarded', 'x-http-method-override', 'range', 'if-none-match'),
      headerText,
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(
      fc.constant('cookie'),
      mostly(5, fc.constantFrom('meydan.session_token=%', 'meydan.session_token=a.b', ';=;'), headerText),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(
      fc.constant('authorization'),
      mostly(5, fc.constantFrom('Bearer', 'Bearer x', 'Basic eDp4', 'bearer  a b'), headerText),
    ),
  },
)
const oversized: fc.Arbitrary<[string, unknown]> = fc.tuple(
  fc.constantFrom('cookie', 'x-junk'),
  fc.constant('x'.repeat(20_000)),
)

/** Header fields in addition to the caller's credentials. */
export function headersOf(operation: Operation, intent: Plan['intent']): fc.Arbitrary<[string, unknown][]> {
  const own = operation.parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name)
  if (intent === 'valid') {
    const key = own.includes('Idempotency-Key')
      ? fc.uuid().map((value): [string, unknown][] => [['Idempotency-Key', value]])
      : fc.constant<[string, unknown][]>([])
    return mostly(3, key, fc.constant<[string, unknown][]>([]))
  }
  const taken = own.map((name) =>
    fc.tuple(fc.nat({ max: 9 }), ownHeaders[name] ?? headerText).map(([dice, value]): [string, unknown][] =>
      dice < 4
        ? [[name, value]]
        : dice === 4 && intent === 'mutated'
          ? [
              [name, value],
              [name, value],
            ]
          : [],
    ),
  )
  const more = fc.oneof(
    { weight: 200, arbitrary: fc.array(commonHeader, { maxLength: intent === 'edge' ? 1 : 2 }) },
    { weight: 1, arbitrary: oversized.map((one) => [one]) },
  )
  return fc.tuple(fc.tuple(...taken), more).map(([lists, others]) => [...lists.flat(), ...others])
}
