export const atOnce = <T>(count: number, call: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => call(index)))

export const countByStatus = (responses: { status: number }[]) =>
  Object.fromEntries(
    responses.map(({ status }) => [status, responses.filter((response) => response.status === status).length]),
  )
