import { afterAll, beforeAll, describe } from 'vitest'
import { SEED } from '../torture/settings.ts'
import { testExamples } from './examples.ts'
import { testInvitations, testRecordsOfOthers } from './records-of-others.ts'
import { testRefusedBodies, testVersions } from './refused-bodies.ts'
import { testResponses } from './responses.ts'
import { prepareSweep, type Sweep } from './sweep.ts'

let sweep: Sweep
beforeAll(async () => {
  sweep = await prepareSweep()
})
afterAll(() => sweep.fixture.close())
const now = () => sweep

// Requests that are refused leave the samples as they are, so that they come first.
describe(`requests (seed ${SEED})`, { shuffle: false }, () => {
  describe('that are refused', () => {
    testRefusedBodies(now)
    testRecordsOfOthers(now)
    testVersions(now)
    testInvitations(now)
  })
  describe('that succeed', () => {
    testResponses(now)
    testExamples(now)
  })
})
