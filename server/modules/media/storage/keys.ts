/** Name of the folder in storage that has a file and everything made from it. */
export const folderOf = ({ id, workspace_id }: { id: string; workspace_id: string }) => `${workspace_id}/${id}`

export const originalKey = (folder: string) => `${folder}/original`
export const thumbnailKey = (folder: string) => `${folder}/thumbnail`
/** `fit`: hash of what the copy was made to fit. */
export const renditionKey = (folder: string, fit: string) => `${folder}/${fit}`

/** Whether a key is one of these. A bucket can also have unfinished uploads, and files of others. */
export const isStoredFile = (key: string) =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/(?!\.)[\w.-]+$/.test(key)

/** The id of the file of the media library to which a stored file belongs. */
export const mediaIdOf = (key: string) => key.split('/')[1] ?? ''
