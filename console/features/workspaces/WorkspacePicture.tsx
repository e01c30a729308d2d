import { Avatar } from '@mantine/core'
import type { Workspace } from '../../api'
import { currentLocale } from '../../ui/text/format'

/** White text can be read on each of them. */
export const workspaceColors: Record<Workspace['color'], string> = {
  teal: '#067d87',
  blue: '#1c6bc4',
  indigo: '#4453c9',
  violet: '#7a45c9',
  pink: '#b83280',
  red: '#bd3a25',
  orange: '#a8500a',
  green: '#1a7f45',
}

type Props = { workspace: Pick<Workspace, 'name' | 'color' | 'picture_url'>; size?: number }

/** The picture of a workspace, or its initial in its color. */
export const WorkspacePicture = ({ workspace: { name, color, picture_url }, size = 28 }: Props) => (
  <Avatar
    size={size}
    radius="md"
    src={picture_url}
    color={workspaceColors[color]}
    variant="filled"
    alt=""
    aria-hidden="true"
  >
    {[...name.trim()][0]?.toLocaleUpperCase(currentLocale())}
  </Avatar>
)
