import { Text } from '@mantine/core'
import { Fragment } from 'react'

/** Addresses, mentions and tags in the colour that networks give them. */
export function Linked({ text }: { text: string }) {
  return text.split(/(https?:\/\/\S+|[#@][\p{L}\p{N}_.-]+)/u).map((part, index) =>
    index % 2 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other name
      <Text key={index} span c="var(--mantine-color-anchor)" inherit>
        {part}
      </Text>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <Fragment key={index}>{part}</Fragment>
    ),
  )
}
