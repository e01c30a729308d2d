import { foldCase } from '../../../ui/navigation/search-params'

export type Person = { id: string; name: string }

/** A mention in a stored text: `@[<id of the user>]`. */
const STORED = /@\[([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\]/g

/** The texts of a comment and the ids of mentions in turn: each second part is an id. */
export const partsOf = (body: string) => body.split(STORED)

/** The text as a field shows it, with names. A mention of somebody who left stays as it is stored. */
export const toShown = (body: string, people: readonly Person[]) =>
  body.replace(STORED, (stored, id: string) => {
    const person = people.find((one) => one.id === id)
    return person ? `@${person.name}` : stored
  })

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The text as it is stored. The longest names come first, because one can begin with another. */
export const toStored = (text: string, people: readonly Person[]) =>
  people
    .toSorted((a, b) => b.name.length - a.name.length)
    .reduce(
      (known, { id, name }) =>
        known.replace(new RegExp(`(?<=^|[\\s(])@${escaped(name)}(?![\\p{L}\\p{N}])`, 'gu'), () => `@[${id}]`),
      text,
    )

/** The name that is being written after an `@` before the caret, and where the `@` is. */
export function mentionAt(text: string, caret: number) {
  const [, name] = /(?:^|[\s(])@([\p{L}\p{N}.'_-]*(?: [\p{L}\p{N}.'_-]*){0,2})$/u.exec(text.slice(0, caret)) ?? []
  return name === undefined ? undefined : { name, start: caret - name.length - 1 }
}

const MAX_SUGGESTIONS = 6

/** The people any of whose names begins with what is written. */
export function suggest<P extends Person>(people: readonly P[], written: string): P[] {
  const wanted = foldCase(written)
  return people.filter(({ name }) => ` ${foldCase(name)}`.includes(` ${wanted}`)).slice(0, MAX_SUGGESTIONS)
}

/** Members with names that tell them apart: two of one name have their addresses. */
export function distinctNames(members: readonly (Person & { email: string })[]): Person[] {
  const isShared = (name: string) => members.filter((member) => member.name === name).length > 1
  return members.map(({ id, name, email }) => ({ id, name: isShared(name) ? `${name} (${email})` : name }))
}
