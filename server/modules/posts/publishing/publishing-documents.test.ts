import { expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { withWorkspace } from '../../../../test/factories.ts'
import { uploaded } from '../../../../test/media.ts'
import { networkAccounts } from '../../../../test/network-stand-ins.ts'
import { advance, publishNow, read, SECOND } from './publishing.fixture.ts'

const t = await testApp()
const networks = networkAccounts(t)

test.each(['linkedin', 'linkedin_page', 'telegram', 'discord', 'slack', 'wordpress'])(
  'readers on %s get the PDF of a post',
  async (id) => {
    const network = networks[id]
    const owner = await withWorkspace(t)
    const connected = await network?.connect(owner)
    if (!connected) throw new Error(`${id} has no stand-in`)
    const { server, account } = connected
    onTestFinished(server.close)
    const { id: media_id } = await uploaded(owner, { bytes: Buffer.from('%PDF-1.7\n%%EOF\n'), name: 'menu.pdf' })
    const post = await publishNow(owner, { content: 'The menu', account_ids: [account], media_ids: [media_id] })
    await t.runJobs()
    // Slack shares a file a moment after it has it.
    await advance(t, 60 * SECOND)
    expect((await read(owner, post)).targets).toMatchObject([{ status: 'published' }])
    const type = id.startsWith('linkedin') ? 'document' : 'application/pdf'
    expect(server.stored()).toMatchObject([{ text: expect.stringContaining('The menu'), media: [{ type }] }])
  },
)
