import { Text } from '@mantine/core'
import { Fragment } from 'react'

/** Colours links, mentions and hashtags as networks do. */
export function LinkifiedText({ text }: { text: string }) {
  return text.split(/(https?:\/\/\S+|[#@][\p{L}\p{N}_.-]+)/u).map((part, index) =>
    index % 2 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other key
      <Text key={index} span c="var(--mantine-color-anchor)" inherit>
        {part}
      </Text>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <Fragment key={index}>{part}</Fragment>
    ),
  )
}
