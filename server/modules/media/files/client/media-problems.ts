import type { Text } from '../../../../lib/language.ts'
import type { MediaFacts, MediaRules } from '../../media-rules.ts'
import { nouns } from '../rules/fit-texts.ts'
import { fitOf } from './fitting.ts'

/** `index`: position of the file; null if the problem concerns all files together. `code` is stable. */
type MediaProblem = { index: number | null; code: string; text: Text }

type Described = MediaFacts & { alt: string }

function numberProblems(files: Described[], { kinds, max, mixed }: MediaRules): MediaProblem[] {
  const problems: MediaProblem[] = []
  const present = [...new Set(files.map(({ kind }) => kind))]
  if (files.length > max)
    problems.push({
      index: max,
      code: 'too_many_files',
      text: {
        en: `${files.length} files; at most ${max} are accepted.`,
        tr: `${files.length} dosya var; en çok ${max} olabilir.`,
      },
    })
  const isMixed = mixed && !present.some((kind) => kinds[kind]?.alone)
  if (!isMixed && present.length > 1)
    problems.push({
      index: files.findIndex(({ kind }) => kind !== present[0]),
      code: 'kinds_mixed',
      text: {
        en: `Files of one kind only are accepted together, not ${present.map((kind) => nouns[kind].en).join(' and ')}.`,
        tr: `Yalnızca aynı türden dosyalar bir arada olabilir; burada ${present.map((kind) => nouns[kind].tr).join(' ve ')} var.`,
      },
    })
  for (const kind of present) {
    const limit = kinds[kind]?.max
    const indexes = files.flatMap((file, index) => (file.kind === kind ? [index] : []))
    if (limit !== undefined && limit < max && indexes.length > limit)
      problems.push({
        index: indexes[limit] ?? null,
        code: 'too_many_files',
        text: {
          en: `${indexes.length} ${nouns[kind].en}; at most ${limit} ${limit === 1 ? 'is' : 'are'} accepted.`,
          tr: `${indexes.length} ${nouns[kind].tr} var; en çok ${limit} olabilir.`,
        },
      })
  }
  return problems
}

function fileProblems(file: Described, index: number, rules: MediaRules): MediaProblem[] {
  const fit = fitOf(file, rules)
  const length = [...file.alt].length
  const isTooLong = rules.max_alt_length !== null && length > rules.max_alt_length
  return [
    ...(fit.how === 'refused' ? [{ index, code: fit.code, text: fit.text }] : []),
    ...(isTooLong
      ? [
          {
            index,
            code: 'alt_too_long',
            text: {
              en: `The alternative text has ${length} characters; at most ${rules.max_alt_length} are accepted.`,
              tr: `Alternatif metin ${length} karakter; en çok ${rules.max_alt_length} olabilir.`,
            },
          },
        ]
      : []),
  ]
}

/** All problems of the files of one part of a post for one network, whose `rules` are null if it takes no files. */
export function mediaProblems(files: Described[], rules: MediaRules | null): MediaProblem[] {
  if (!rules)
    return files.length
      ? [
          {
            index: 0,
            code: 'files_not_accepted',
            text: { en: 'Files are not accepted.', tr: 'Dosya kabul edilmiyor.' },
          },
        ]
      : []
  if (files.length === 0)
    return rules.required
      ? [
          {
            index: null,
            code: 'file_required',
            text: { en: 'At least one file is needed.', tr: 'En az bir dosya gerekli.' },
          },
        ]
      : []
  return [...numberProblems(files, rules), ...files.flatMap((file, index) => fileProblems(file, index, rules))]
}
