import type { MediaFacts, MediaRules } from '../media-rules.ts'
import { fitOf } from './fitting.ts'

/** `index`: of the file; null if it concerns all files together. `code` is stable. */
type MediaProblem = { index: number | null; code: string; message: string }

type Described = MediaFacts & { alt: string }

const nouns = { image: 'pictures', gif: 'animated pictures', video: 'videos', document: 'documents' } as const

function numberProblems(files: Described[], { kinds, max, mixed }: MediaRules): MediaProblem[] {
  const problems: MediaProblem[] = []
  const present = [...new Set(files.map(({ kind }) => kind))]
  if (files.length > max)
    problems.push({
      index: max,
      code: 'too_many_files',
      message: `${files.length} files; at most ${max} are accepted.`,
    })
  const isMixed = mixed && !present.some((kind) => kinds[kind]?.alone)
  if (!isMixed && present.length > 1)
    problems.push({
      index: files.findIndex(({ kind }) => kind !== present[0]),
      code: 'kinds_mixed',
      message: `Files of one kind only are accepted together, not ${present.map((kind) => nouns[kind]).join(' and ')}.`,
    })
  for (const kind of present) {
    const limit = kinds[kind]?.max
    const indexes = files.flatMap((file, index) => (file.kind === kind ? [index] : []))
    if (limit !== undefined && limit < max && indexes.length > limit)
      problems.push({
        index: indexes[limit] ?? null,
        code: 'too_many_files',
        message: `${indexes.length} ${nouns[kind]}; at most ${limit} ${limit === 1 ? 'is' : 'are'} accepted.`,
      })
  }
  return problems
}

function fileProblems(file: Described, index: number, rules: MediaRules): MediaProblem[] {
  const fit = fitOf(file, rules)
  const length = [...file.alt].length
  const isTooLong = rules.max_alt_length !== null && length > rules.max_alt_length
  return [
    ...(fit.how === 'refused' ? [{ index, code: fit.code, message: fit.message }] : []),
    ...(isTooLong
      ? [
          {
            index,
            code: 'alt_too_long',
            message: `The alternative text has ${length} characters; at most ${rules.max_alt_length} are accepted.`,
          },
        ]
      : []),
  ]
}

/** All problems of the files of one part of a post for one network, whose `rules` are null if it takes no files. */
export function mediaProblems(files: Described[], rules: MediaRules | null): MediaProblem[] {
  if (!rules) return files.length ? [{ index: 0, code: 'files_not_accepted', message: 'Files are not accepted.' }] : []
  if (files.length === 0)
    return rules.required ? [{ index: null, code: 'file_required', message: 'At least one file is needed.' }] : []
  return [...numberProblems(files, rules), ...files.flatMap((file, index) => fileProblems(file, index, rules))]
}
