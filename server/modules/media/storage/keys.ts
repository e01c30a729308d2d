/** Name of the folder in storage that has a file and everything made from it. */
export const folderOf = ({ id, workspace_id }: { id: string; workspace_id: string }) => `${workspace_id}/${id}`

export const originalKey = (folder: string) => `${folder}/original`
export const thumbnailKey = (folder: string) => `${folder}/thumbnail`
/** `fit`: hash of what the copy was made to fit. */
export const renditionKey = (folder: string, fit: string) => `${folder}/${fit}`
