/** Reads the last stage of the Dockerfile, so that `scripts/image.ts` takes the same steps without a container engine. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A command of the build with its user, folder and environment, or the copy of the files of this checkout. */
export type Step = { run: string; user: string; folder: string; env: Record<string, string> } | 'copy files'

export type Image = {
  /** Release of Debian that it begins with. */
  debian: string
  steps: Step[]
  env: Record<string, string>
  user: string
  folder: string
  command: string[]
  healthCheck: string[]
}

export function readDockerfile(): Image {
  const text = readFileSync(join(import.meta.dirname, '../../Dockerfile'), 'utf8')
  const lines = text
    .replace(/^#.*\n/gm, '')
    .replace(/\s*\\\n\s*/g, ' ')
    .split('\n')
    .filter(Boolean)
  const stage = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')))
  // The PATH is the one that container engines set.
  let env: Record<string, string> = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' }
  let user = '0:0'
  let folder = '/'
  const steps: Step[] = []
  const found: Record<string, string> = {}
  for (const line of stage) {
    const [, instruction = '', rest = ''] = /^(\w+) (.*)$/.exec(line) ?? []
    if (instruction === 'RUN') steps.push({ run: rest, user, folder, env })
    else if (line === 'COPY --from=build /image /') steps.push('copy files')
    else if (instruction === 'ENV') env = { ...env, ...Object.fromEntries(rest.split(' ').map(readPair)) }
    else if (instruction === 'USER') user = rest
    else if (instruction === 'WORKDIR') folder = rest
    else if (/^(FROM|VOLUME|EXPOSE|STOPSIGNAL|HEALTHCHECK|ENTRYPOINT|CMD)$/.test(instruction)) found[instruction] = rest
    else throw new Error(`Dockerfile: ${line} is not understood here`)
  }
  const debian = /^debian:(\w+)-slim$/.exec(found.FROM ?? '')?.[1]
  if (!debian) throw new Error(`Dockerfile: ${found.FROM} is no debian:…-slim`)
  return {
    debian,
    steps,
    env,
    user,
    folder,
    command: [...readList(found.ENTRYPOINT), ...readList(found.CMD)],
    healthCheck: readList(found.HEALTHCHECK?.replace(/^.*? CMD /, '')),
  }
}

const readPair = (text: string): [string, string] => {
  const [, name = '', value = ''] = /^(.*?)=(.*)$/.exec(text) ?? []
  return [name, value]
}

function readList(text: string | undefined): string[] {
  const list: unknown = JSON.parse(text ?? '[]')
  return Array.isArray(list) ? list.map(String) : []
}
