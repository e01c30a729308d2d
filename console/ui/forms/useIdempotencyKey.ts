import { useRef } from 'react'
import { ApiProblem } from '../../api'

/**
 * Makes a form create its record only once. A repeat of the same values without a response reuses the Idempotency-Key.
 * After a response, or with other values, the key is a new one.
 */
export function useIdempotencyKey() {
  const open = useRef<{ values: string; key: string }>(undefined)
  return async <T>(body: unknown, send: (headers: { 'idempotency-key': string }) => Promise<T>): Promise<T> => {
    const values = JSON.stringify(body)
    if (open.current?.values !== values) open.current = { values, key: newKey() }
    try {
      const response = await send({ 'idempotency-key': open.current.key })
      open.current = undefined
      return response
    } catch (error) {
      if (error instanceof ApiProblem && isFinal(error.problem)) open.current = undefined
      throw error
    }
  }
}

const isFinal = ({ status, code }: ApiProblem['problem']) => status < 500 && code !== 'idempotency_key_in_use'

/** Browsers offer randomUUID only over HTTPS. */
const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
