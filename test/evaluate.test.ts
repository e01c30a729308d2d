import { MockLanguageModelV4 } from 'ai/test'
import { describe, expect, test } from 'vitest'
import { createOwner } from '../bench/meydan.ts'
import type { LanguageBrief } from '../scripts/evaluate/brief.ts'
import { briefs } from '../scripts/evaluate/briefs/briefs.ts'
import { evaluate, isMet, sharesOf } from '../scripts/evaluate/evaluate.ts'
import { reportOf } from '../scripts/evaluate/report.ts'
import { languageOf, rules } from '../scripts/evaluate/rules.ts'
import { scriptedDraft, scriptedModel } from '../scripts/evaluate/scripted-model.ts'
import type { Draft } from '../server/modules/agents/drafts/draft.ts'
import { testApp } from './app.ts'

const t = await testApp()
const owner = await createOwner(t.deps)

const briefNamed = (name: string) => {
  const brief = briefs.find((each) => each.name === name)
  if (!brief) throw new Error(`There is no brief ${name}`)
  return brief
}
const outputOf = (brief: LanguageBrief, more: Partial<Draft> = {}) =>
  JSON.stringify({ ...scriptedDraft(brief), ...more })

/** The result of one brief, for which a model writes these texts one after the other. */
async function resultOf(brief: LanguageBrief, ...outputs: string[]) {
  const model = scriptedModel(...outputs)
  const [result] = await evaluate({ deps: t.deps, owner, briefs: [brief], modelOf: () => model })
  if (!result) throw new Error('The brief has no result')
  return result
}

const brokenBy = ({ kept }: { kept: Record<string, boolean> }) => Object.keys(kept).filter((rule) => !kept[rule])

describe('the briefs', () => {
  test('are 25 in each language, with different names and texts of their language', () => {
    for (const language of ['tr', 'en']) expect(briefs.filter((brief) => brief.language === language)).toHaveLength(25)
    expect(new Set(briefs.map(({ name }) => name)).size).toBe(50)
    expect(briefs.filter(({ text, language }) => languageOf(text) !== language)).toEqual([])
  })

  test('can be fulfilled: the script keeps every rule, and no text needs a person', async () => {
    const sample = briefs.filter((_, index) => index % 5 === 1)
    const modelOf = (brief: LanguageBrief) => scriptedModel(outputOf(brief))
    const results = await evaluate({ deps: t.deps, owner, briefs: sample, modelOf })
    expect(results.map((result) => [result.name, result.verdict, ...brokenBy(result)])).toEqual(
      sample.map(({ name }) => [name, 'accept']),
    )
    expect(sharesOf(results).filter(({ kept, asked }) => kept !== asked)).toEqual([])
  })

  test('leave nothing in the database', async () => {
    for (const table of ['agent', 'agent_source', 'account', 'post', 'workspace_brand'] as const)
      expect(await t.deps.db.selectFrom(table).selectAll().execute()).toEqual([])
  })
})

const baker = briefNamed('bakery')
const release = briefNamed('software-release')
const beach = briefNamed('dernek-kıyı')
const cafe = briefNamed('kafe-bahçe')
const saas = briefNamed('saas-tip')

/** For each rule a draft that breaks it, and no other. */
const broken: Record<string, [LanguageBrief, Partial<Draft>]> = {
  subject: [baker, { skip_reason: 'Nothing new' }],
  length: [cafe, { content: `${cafe.text} ${'Bahçede gölge de var, kitap da var, sessizlik de. '.repeat(6)}` }],
  language: [cafe, { content: 'The garden has new chairs, and the sun is on all of them. Come and sit with us.' }],
  'link kept': [release, { content: 'Quillpad 3.2 is out, and huge files of 2 GB open in under a second.' }],
  'link invented': [release, { content: `${release.text} https://quillpad.example/download` }],
  repetition: [saas, { content: saas.recent?.[0] ?? '' }],
  'forbidden word': [baker, { content: `${baker.text} It is the best.` }],
  claim: [baker, { claims: ['Caraway comes from the garden'] }],
  number: [baker, { content: `${baker.text} We have done this for 37 years.` }],
  hashtags: [beach, { content: `${beach.text} #Deniz` }],
  mention: [cafe, { content: `${cafe.text} @komsu` }],
  'source named': [baker, { source_ids: ['s1', 's9'] }],
  secrecy: [baker, { content: `${baker.text} sk-abcdefghijklmnopqrstuvwx` }],
}

describe('each rule', () => {
  test('has a draft that breaks it', () => {
    expect(Object.keys(broken)).toEqual(rules.map(({ name }) => name))
  })

  test.each(Object.entries(broken))('%s is broken by its draft, and no other rule is', async (rule, [brief, more]) => {
    const output = outputOf(brief, more)
    expect(brokenBy(await resultOf(brief, output, output, output))).toEqual([rule])
  })

  test('a figure that no source gives breaks two: it is a number, and a claim', async () => {
    const output = outputOf(baker, { content: 'Rye with caraway from the wood oven, this Saturday, for 5.20 €.' })
    expect(brokenBy(await resultOf(baker, output))).toEqual(['claim', 'number'])
  })

  test('output that is no draft counts as not written', async () => {
    const result = await resultOf(baker, 'Sorry', 'Sorry', 'Sorry')
    expect([result.texts, result.verdict, brokenBy(result)]).toEqual([3, 'block', ['written']])
  })
})

test('a text that breaks a rule is written again as in a run, and the first one is measured', async () => {
  const result = await resultOf(baker, outputOf(baker, { content: `${baker.text} It is the best.` }), outputOf(baker))
  expect([result.texts, result.verdict, brokenBy(result)]).toEqual([2, 'accept', ['forbidden word']])
  expect(result.findings).toEqual(['The text must not say "the best".'])
})

test('a brief for which the provider fails is one that is not written', async () => {
  const language = new MockLanguageModelV4({ doGenerate: () => Promise.reject(new TypeError('fetch failed')) })
  const modelOf = () => ({ ...scriptedModel(''), language })
  const [result] = await evaluate({ deps: t.deps, owner, briefs: [baker], modelOf })
  expect(result).toMatchObject({ verdict: 'failed', kept: { written: false } })
})

describe('the report', () => {
  const kept = Object.fromEntries(rules.map(({ name }) => [name, true]))
  const result = {
    ...{ language: 'en', texts: 1, verdict: 'accept' as const, content: '', findings: [] },
    kept: { written: true, ...kept },
  }
  const run = (broken: number, rule = 'length') => ({
    model: 'script',
    evaluated_at: '2026-03-02T08:00:00Z',
    results: Array.from({ length: 10 }, (_, index) => ({
      ...result,
      name: `brief ${index}`,
      kept: { ...result.kept, [rule]: index >= broken },
    })),
  })

  test('a rule is not met when its share is below its bound', () => {
    const met = (broken: number) => sharesOf(run(broken).results).filter((share) => !isMet(share))
    expect(met(0)).toEqual([])
    expect(met(1).map(({ name }) => name)).toEqual(['length'])
  })

  test('lists each rule and brief, and what changed since a kept run', () => {
    const lines = reportOf(run(1), run(2)).split('\n')
    expect(lines.find((line) => line.startsWith('length'))).toMatch(/9\/10 +90 % +94 % +not ok +80 %/)
    expect(lines.filter((line) => line.startsWith('en '))).toHaveLength(10)
    expect(lines.slice(-1)).toEqual(['better en brief 1: length'])
    expect(reportOf(run(2), run(1))).toContain('worse  en brief 1: length')
    expect(reportOf(run(1), run(1))).toContain('No brief changed.')
  })
})
