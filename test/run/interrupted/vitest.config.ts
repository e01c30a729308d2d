import { mergeConfig } from 'vitest/config'
import suite from '../../../vitest.config.ts'

/** The suite with one test, which does not end by itself. */
export default {
  ...mergeConfig(suite, { root: '.' }),
  test: { ...suite.test, include: ['test/run/interrupted/endless.ts'], globalSetup: ['test/run/global-setup.ts'] },
}
