import { useRef } from 'react'
import { ApiProblem } from '../../api'

/**
 * Makes a form create a record only once for the same values. A repeat without a response reuses the Idempotency-Key.
 * After a response the key is a new one.
 */
export function useIdempotencyKey() {
  const open = useRef(new Map<string, string>()).current
  return async <T>(body: unknown, send: (headers: { 'idempotency-key': string }) => Promise<T>): Promise<T> => {
    const values = JSON.stringify(body)
    const key = open.get(values) ?? newKey()
    open.set(values, key)
    try {
      const response = await send({ 'idempotency-key': key })
      open.delete(values)
      return response
    } catch (error) {
      if (error instanceof ApiProblem && isFinal(error.problem)) open.delete(values)
      throw error
    }
  }
}

const isFinal = ({ status, code }: ApiProblem['problem']) => status < 500 && code !== 'idempotency_key_in_use'

/** Browsers offer randomUUID only over HTTPS. */
const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
