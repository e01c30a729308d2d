/**
 * The advisory locks of Meydan, so that no two of them share a number. The embedded PostgreSQL has one more, in a
 * database of its own.
 */
export const locks = {
  migrations: 7_301_001,
  keyring: 7_301_002,
  setUp: 7_301_003,
  freeSlug: 7_301_004,
  signUp: 7_301_005,
  idempotency: 7_301_006,
  invitationMail: 7_301_007,
  webhookHistory: 7_301_008,
  events: 7_301_009,
  options: 7_301_010,
  standing: 7_301_011,
} as const
