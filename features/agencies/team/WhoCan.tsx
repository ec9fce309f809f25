import { useQuery } from '@tanstack/react-query'
import { api } from '#web/client/api.ts'
import { CloseButton, Dialog, DialogText } from '#web/form/Dialog.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import type { RightsNode, team } from './contract.ts'
import styles from './team.module.css'

const teamApi = api<typeof team>('team')

/** Who of the agency can do this now, as it is saved. */
export function WhoCan({ node, onClose }: { node: RightsNode; onClose: () => void }) {
  const asked = useQuery(teamApi.whoCan.query({ id: node.id }))
  return (
    <Dialog
      title={`谁有「${node.name}」的权限`}
      onClose={onClose}
      footer={<CloseButton>返回</CloseButton>}
      dirty={false}
    >
      <DialogText>
        <p>{node.says}。按已保存的权限，以下员工可以：</p>
        {asked.isError && <LoadFailure error={asked.error} onRetry={() => void asked.refetch()} />}
        {!asked.data && !asked.isError && <LoadingLines lines={3} />}
        <ul className={styles.names}>
          {asked.data?.people.map(({ id, name, roleName }) => (
            <li key={id}>
              {name}
              <small>{roleName ?? '负责人'}</small>
            </li>
          ))}
        </ul>
        {asked.data && asked.data.roles.length > 0 && (
          <p>含有此权限的角色：{asked.data.roles.map(({ name }) => name).join('、')}</p>
        )}
      </DialogText>
    </Dialog>
  )
}
