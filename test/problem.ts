import { expect, inject } from 'vitest'
import { catalogue, type ErrorCode } from '../server/errors.ts'
import { components } from '../server/lib/http/schema/openapi-parts.ts'
import type { ApiResponse } from './client.ts'
import { noteCode } from './error-code-coverage.ts'

const members = Object.keys(components.schemas.Problem.properties)

const beforeHttp = new Set<ErrorCode>([
  'malformed_request',
  'request_timeout',
  'headers_too_large',
  'expectation_failed',
])

/** Checks that a response is this problem with all common fields; returns its body. */
export function expectProblem(response: ApiResponse, status: number, code: ErrorCode, pointer?: string) {
  const { body, headers } = response
  if (response.status !== status || body?.code !== code)
    throw new Error(`Expected ${status} ${code}, got ${response.status}: ${JSON.stringify(body).slice(0, 1000)}`)
  expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
  expect(body).toMatchObject({ type: `/docs/errors#${code}`, title: catalogue[code][1], status, code })
  expect(body.detail).toMatch(/\S/)
  // If HTTP parsing failed, there is no path.
  if (body.instance !== undefined || !beforeHttp.has(code)) expect(body.instance).toMatch(/^\//)
  expect(body.request_id).toBe(headers.get('x-request-id'))
  expect(Object.keys(body).filter((name) => !members.includes(name))).toEqual([])
  if (pointer !== undefined) expect(body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer)
  for (const known of [code, ...(body.errors ?? []).map((error: { code: string }) => error.code)])
    noteCode(inject('expectedCodes'), known)
  return body
}

/** The response without fields that differ from call to call: equal responses reveal the same. */
export const withoutIds = ({ status, body: { request_id, instance, ...rest } }: ApiResponse) => ({ status, ...rest })
