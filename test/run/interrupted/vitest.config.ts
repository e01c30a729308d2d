import suite from '../../../vitest.config.ts'

/** The suite with one test, which does not end by itself. */
export default {
  test: { ...suite.test, include: ['test/run/interrupted/endless.ts'], globalSetup: ['test/run/global-setup.ts'] },
}
