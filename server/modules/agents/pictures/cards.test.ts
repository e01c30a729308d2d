import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '../../../../test/app.ts'
import type { WorkspaceOwner } from '../../../../test/factories.ts'
import type { AiServer } from '../../../../test/stand-ins/ai-server.ts'
import { draftText, lastRun } from '../runs/runs.fixture.ts'
import { takeStep } from '../runs/steps/take-step.ts'
import { pictureTests } from './pictures.fixture.ts'

const { now, agentWith, start, runOnce, pictureOf, files, imageCalls, usedCredits } = pictureTests()

let t: TestApp
let owner: WorkspaceOwner
let openai: AiServer
beforeEach(() => {
  ;({ t, owner, openai } = now())
})

describe('a card', () => {
  const pixels = async (id: string) => {
    const response = await owner.open('GET', `/api/v1/media/${id}/file`)
    const { data, info } = await sharp(Buffer.from(await response.arrayBuffer()))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const colours = new Map<string, number>()
    for (let at = 0; at < data.length; at += 3) {
      const colour = `#${data.subarray(at, at + 3).toString('hex')}`
      colours.set(colour, (colours.get(colour) ?? 0) + 1)
    }
    const [background, foreground] = [...colours]
      .toSorted(([, one], [, another]) => another - one)
      .map(([colour]) => colour)
    return { background, foreground, width: info.width, height: info.height }
  }

  test('shows the topic in the colours of the category, costs nothing more, and its text is the alternative text', async () => {
    const run = await runOnce(await agentWith({ design: true }))
    expect(run).toMatchObject({ status: 'completed', credits: 1, items: [{ picture: 'added', picture_reason: null }] })
    const card = await pictureOf(run)
    expect(card).toMatchObject({ kind: 'image', mime: 'image/png', alt: 'Günün simidi' })
    expect(await pixels(card.id)).toEqual({ background: '#faf0d9', foreground: '#46320a', width: 1080, height: 1350 })
    expect([imageCalls(), await usedCredits()]).toEqual([[], 1])
  })

  test.each([
    ['Our #0B3D2E and #f4f1de', '#0b3d2e', '#f4f1de'],
    ['Only #ffdd00', '#ffdd00', '#16181b'],
    ['#222222 with letters #333333', '#222222', '#ffffff'],
  ])('has the colours that the style names, if they can be read: %s', async (image_style, background, foreground) => {
    const run = await runOnce(await agentWith({ design: true, image_style }))
    expect(await pixels((await pictureOf(run)).id)).toMatchObject({ background, foreground })
  })

  test('is drawn without emoji and markup, whatever the topic is', async () => {
    const topic = `🥨 Ğüzel <b>İş</b> & ${'çalış'.repeat(18)}`
    openai.script.reply = () => draftText({ topic })
    const run = await runOnce(await agentWith({ design: true }))
    expect(await pictureOf(run)).toMatchObject({ alt: topic.slice(3), width: 1080 })
  })

  test('is left out when the font lacks the letters of the post', async () => {
    openai.script.reply = () => draftText({ topic: 'خبز طازج', content: 'خبز طازج كل صباح' })
    const run = await runOnce(await agentWith({ design: true }))
    expect(run.items).toMatchObject([{ status: 'created', picture: 'left_out', picture_reason: 'letters' }])
  })

  test('takes the place of an image that failed', async () => {
    openai.script.reply = () => {
      openai.failNext({ kind: 'status', status: 400 })
      return draftText({ topic: 'Simit' })
    }
    const run = await runOnce(await agentWith({ generate_image: true, design: true }))
    expect(run).toMatchObject({ made: 1, credits: 1, items: [{ picture: 'added', picture_reason: 'ai_refused' }] })
    expect(await pictureOf(run)).toMatchObject({ alt: 'Simit', width: 1080 })
  })

  test('of the same topic is one file, however often and by how many workers it is drawn', async () => {
    const agent = await agentWith({ design: true })
    const id = await start(agent)
    await takeStep(t.deps, { run_id: id })
    await Promise.all([takeStep(t.deps, { run_id: id }), takeStep(t.deps, { run_id: id })])
    await t.runJobs()
    expect(await lastRun(t, agent)).toMatchObject({ status: 'completed', made: 1 })
    expect(await files()).toHaveLength(1)
  })
})
