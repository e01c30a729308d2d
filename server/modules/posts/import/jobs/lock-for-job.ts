import type { Tx } from '../../../../lib/db/database.ts'
import type { ImportRecord } from '../imports.ts'

/** Locks an import for a batch of its job. Undefined when its state is another one by now, or it is gone. */
export const lockForJob = (tx: Tx, id: string, status: ImportRecord['status']) =>
  tx
    .selectFrom('post_import')
    .innerJoin('workspace', 'workspace.id', 'post_import.workspace_id')
    .selectAll('post_import')
    .where('post_import.id', '=', id)
    .where('post_import.status', '=', status)
    .where('workspace.deleted_at', 'is', null)
    .forUpdate('post_import')
    .$castTo<ImportRecord>()
    .executeTakeFirst()
