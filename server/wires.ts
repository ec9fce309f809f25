// The connections of a server that stops: it is not to wait for those who ask nothing, or never come to an end. Node itself
// closes only what has been answered, and knows nothing of a connection once it is a WebSocket.
import type { Server, Socket } from 'node:net'

export type Wires = {
  /** Those over which nothing was ever asked; browsers open them in advance. */
  cutUnused(): void
  cutAll(): void
}

export function watchWires(server: Server): Wires {
  const open = new Set<Socket>()
  function forget(this: Socket): void {
    open.delete(this)
  }
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', forget)
  })
  return {
    cutUnused() {
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    },
    cutAll() {
      for (const socket of open) socket.destroy()
    },
  }
}
