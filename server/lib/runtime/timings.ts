import { MINUTE, SECOND } from '../../../shared/time.ts'

/** No poll is made shorter than this: one that comes more often finds nothing sooner, and costs more. */
const SHORTEST = 100

/**
 * The times for which Meydan waits because another process may have died or may still be at work: leases, heartbeats,
 * polls and their grace, in milliseconds. Times that people know (schedules, mails, how long something is kept) stay
 * with their rules.
 *
 * `divisor`: how many times shorter they are than the real ones, in a process of a test.
 */
export function createTimings(divisor: number) {
  const time = (ms: number) => Math.min(ms, Math.max(SHORTEST, Math.round(ms / divisor)))
  return {
    /** Interval at which a node reports that it lives. */
    heartbeat: time(5 * SECOND),
    /** A node without a heartbeat for this long is dead, and its jobs are freed. Six heartbeats: a slow one is no death. */
    nodeSilence: time(30 * SECOND),
    /** Age from which a lock of a node on a job that it does not run is lost. Longer than recording the end of a job. */
    lostLock: time(5 * SECOND),
    /** Time for a heartbeat that is being sent to end when the worker stops. */
    heartbeatEnd: time(1 * SECOND),
    /** Interval at which a worker looks for jobs that nobody announced. */
    jobPoll: time(250),
    /** Time after which jobs that were fetched and not begun go back, so that another node can run them. */
    fetchedJobs: time(2 * SECOND),
    /** Time until a job runner that stopped is started again. Long enough not to spin while the database is away. */
    runnerRestart: time(1 * SECOND),
    /** Time for running requests to end by themselves when Meydan stops. Then uploads and calls of AI providers end with 503. */
    requestGrace: time(9 * SECOND),
    /** Time for running jobs to end by themselves when Meydan stops. Then the calls they wait for are aborted. */
    jobDrain: time(3 * SECOND),
    /** Time for jobs whose calls were aborted to record that. `meydan serve` stops within twenty seconds in all. */
    jobSettling: time(4 * SECOND),

    /** A delivery that a dispatcher claimed is its own for this long. Longer than any attempt (`WEBHOOK_TIMEOUT_MS`). */
    deliveryLease: time(60 * SECOND),
    /** Time after which no delivery of a disabled webhook is in flight any more. Longer than `deliveryLease`. */
    deliveryHold: time(65 * SECOND),
    /** Interval at which a dispatcher looks for due deliveries that no signal announced. */
    deliveryPoll: time(250),
    /** The same for a search that also finds those that were committed late. It reads more, so it is rarer. */
    fullDeliveryPoll: time(5 * SECOND),

    /** Time until a new key is used to write. All nodes load it, and can read with it, well before. */
    keyStage: time(10 * SECOND),

    /** A call with an Idempotency-Key is running for this long at most. Then another call with the key may start over. */
    idempotencyLease: time(60 * SECOND),

    /** Time for all calls with which a sign-in at a network begins, while somebody waits. */
    signInStart: 20 * SECOND,
    /** A node renews a sign-in at a network for this long at most. Longer than a request for tokens. */
    renewalLease: time(60 * SECOND),
    /** Time for which a call waits for another node to renew its sign-in. */
    renewalWait: time(30 * SECOND),
    /** Interval at which it looks whether the sign-in was renewed. */
    renewalPoll: time(200),

    /** A run of an agent without progress for this long gets a new job. Longer than the longest step. */
    runLease: time(3 * MINUTE),

    /** A worker erases the files of a batch of uploads for this long. Then another worker tries. */
    erasureLease: time(10 * MINUTE),

    /** A backup whose process reported nothing for this long was lost with it. */
    backupLease: time(60 * SECOND),
    /** Interval at which a backup reports its progress. */
    backupBeat: time(5 * SECOND),
    /** Waits before each retry of a call to the bucket of a backup. After the last one the backup fails. */
    uploadRetries: [1 * SECOND, 5 * SECOND, 20 * SECOND, 60 * SECOND].map(time),

    /** Waits before each retry of a post that was certainly not published. After the last one it fails. */
    publishRetries: [15 * SECOND, 1 * MINUTE, 5 * MINUTE, 30 * MINUTE].map(time),
    /** Waits before each lookup of a post whose response was lost, as by a worker that died. The last one repeats. */
    postLookups: [5 * SECOND, 15 * SECOND, 1 * MINUTE, 5 * MINUTE, 30 * MINUTE].map(time),
    /** A post that was looked up in vain is sent again if it is absent after this time still: networks list posts late. */
    postAbsence: time(30 * SECOND),
  }
}

export type Timings = Readonly<ReturnType<typeof createTimings>>
