/**
 * The time at which the clock of a test begins, so that the day of the run decides nothing. It is later than any real
 * time, because PostgreSQL sets some times itself. `MEYDAN_TEST_TIME` replaces it; a run that fails prints it.
 */
export const ORIGIN = process.env.MEYDAN_TEST_TIME ?? '2034-11-22T10:00:00.000Z'

/**
 * A clock that tests advance. It begins at `origin`, and stands still. With `live`, for browsers, it goes with the real
 * time, which their pages show.
 */
export function testClock({ live, origin = new Date(ORIGIN) }: { live: boolean; origin?: Date | undefined }) {
  let moved = 0
  return {
    now: () => new Date((live ? Date.now() : origin.getTime()) + moved),
    advance: (ms: number) => {
      moved += ms
    },
  }
}
