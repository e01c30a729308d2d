import { expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { callWithForm } from './multipart.ts'

const t = await testApp()

test('a form whose file cannot be opened fails before it is sent, with a message that names no folder', async () => {
  const { DATA_DIR } = t.deps.config
  const open = () => Promise.reject(new Error(`ELOOP: too many symbolic links encountered, open '${DATA_DIR}/files'`))
  const sent = callWithForm(t.deps, { url: 'https://network.example.com/media' }, [{ name: 'file', file: { open } }])
  await expect(sent).rejects.toMatchObject({
    failure: { kind: 'unavailable', message: 'A file of the post could not be read.' },
  })
})
