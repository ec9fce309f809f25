// What begins the packed print program on Linux.

export const NAME = 'partner-office-print'

/** Starts with the desk from the first double click on. The archive lies where it was unpacked: what is newer by itself stays. */
export const LINUX_START = `#!/bin/sh
# 双击启动打印程序；以后随登录自动启动。
here=$(cd "$(dirname "$0")" && pwd)
home="$HOME/.local/share/${NAME}"
mkdir -p "$home" "$HOME/.config/autostart"
if [ "$here" != "$home" ]; then
  brought=$("$here/${NAME}" --version)
  present=$("$home/${NAME}" --version 2>/dev/null)
  newest=$(printf '%s\\n%s\\n' "$present" "$brought" | sort -V | tail -n 1)
  if [ "$present" != "$brought" ] && [ "$newest" = "$brought" ]; then
    cp "$here/${NAME}" "$home/${NAME}.new" && mv "$home/${NAME}.new" "$home/${NAME}"
  fi
fi
printf '[Desktop Entry]\\nType=Application\\nName=打印程序\\nExec=%s\\n' "$home/${NAME}" > "$HOME/.config/autostart/${NAME}.desktop"
exec "$home/${NAME}" --open
`
