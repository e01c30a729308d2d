#!/usr/bin/env bash
# Runs a real WordPress on this machine, to try the WordPress network by hand. The tests do not need it: they use
# test/stand-ins/wordpress.ts.
#
#   npm run wordpress              # http://127.0.0.1:8088
#   npm run wordpress -- 9000      # another port
#   npm run wordpress -- 8088 plain   # without pretty permalinks, so that the API is only at /?rest_route=/
#   npm run wordpress -- publish   # publishes from a Meydan of its own, and reads what visitors of the site see
#
# Needs Debian's packages:
#
#   apt-get install --no-install-recommends wordpress wordpress-theme-twentytwentythree php-cli php-mysql php-gd php-xml php-mbstring php-curl mariadb-server
#
# Without `publish` it prints the address, the user and an application password, and runs until Ctrl+C. Site and
# database are in a temporary folder of their own and are deleted at the end; the MariaDB of the machine is not touched.
# The site listens on 127.0.0.1 only and makes no requests.
set -euo pipefail
# Each child leads a process group, so that the workers of PHP end with it.
set -m
publishes=''
if [ "${1:-}" = publish ]; then
  publishes=yes
  shift
fi
port=${1:-8088}
permalinks=${2:-pretty}
source=/usr/share/wordpress

for needed in php mariadbd mariadb-install-db; do
  if ! command -v "$needed" >/dev/null || [ ! -d "$source" ]; then
    echo "Install Debian's packages first:" >&2
    grep -m1 -o 'apt-get install .*' "$0" >&2
    exit 1
  fi
done

folder=$(mktemp -d "${TMPDIR:-/tmp}/meydan-wordpress-XXXXXX")
database=''
site=''
clean_up() {
  trap - EXIT INT TERM
  for child in $site $database; do kill -- "-$child" 2>/dev/null || true; done
  wait
  rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 0' INT TERM

# MariaDB refuses to run as root, and its user has to enter the folder.
as=()
if [ "$(id -u)" = 0 ]; then
  as=(--user=mysql)
  chmod 711 "$folder"
  install -d -o mysql "$folder/database"
fi
socket="$folder/database/socket"
mariadb-install-db --no-defaults "${as[@]}" --datadir="$folder/database" --auth-root-authentication-method=normal --skip-test-db >/dev/null
mariadbd --no-defaults "${as[@]}" --datadir="$folder/database" --socket="$socket" --skip-networking \
  --pid-file="$folder/database/pid" 2>"$folder/database.log" &
database=$!
for _ in $(seq 300); do
  if mariadb --no-defaults --socket="$socket" -u root -e 'create database wordpress' 2>/dev/null; then ready=1; break; fi
  sleep 0.1
done
if [ -z "${ready:-}" ]; then
  cat "$folder/database.log" >&2
  exit 1
fi

# The package links to files that belong to the machine's own site: copy what they point to.
cp -rL "$source" "$folder/site" 2>/dev/null || true
mkdir -p "$folder/site/wp-content/uploads"
cat >"$folder/site/wp-config.php" <<PHP
<?php
define('DB_NAME', 'wordpress');
define('DB_USER', 'root');
define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:$socket');
define('DB_CHARSET', 'utf8mb4');
define('WP_HOME', 'http://127.0.0.1:$port');
define('WP_SITEURL', 'http://127.0.0.1:$port');
// Application passwords are refused over plain HTTP on any other kind of site.
define('WP_ENVIRONMENT_TYPE', 'local');
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('DISABLE_WP_CRON', true);
define('AUTOMATIC_UPDATER_DISABLED', true);
\$table_prefix = 'wp_';
defined('ABSPATH') || define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
PHP

cat >"$folder/install.php" <<'PHP'
<?php
define('WP_INSTALLING', true);
$_SERVER['HTTP_HOST'] = '127.0.0.1';
require $argv[1] . '/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
// Installing sends a mail, which this machine has no use for.
add_filter('pre_wp_mail', '__return_true');
ob_start();
wp_install('Meydan tries WordPress', 'author', 'author@example.org', true, '', bin2hex(random_bytes(12)));
update_option('permalink_structure', $argv[2] === 'pretty' ? '/%postname%/' : '');
flush_rewrite_rules(false);
$user = get_user_by('login', 'author');
wp_update_user(['ID' => $user->ID, 'role' => 'editor', 'display_name' => 'An Author']);
[$password] = WP_Application_Passwords::create_new_application_password($user->ID, ['name' => 'Meydan']);
ob_end_clean();
echo WP_Application_Passwords::chunk_password($password);
PHP
password=$(php -d error_reporting=0 "$folder/install.php" "$folder/site" "$permalinks")

PHP_CLI_SERVER_WORKERS=4 php -d error_reporting=0 -d upload_max_filesize=64M -d post_max_size=64M -S "127.0.0.1:$port" -t "$folder/site" \
  >"$folder/site.log" 2>&1 &
site=$!
for _ in $(seq 300); do
  if php -r "exit(@file_get_contents('http://127.0.0.1:$port/?rest_route=/') ? 0 : 1);"; then break; fi
  if ! kill -0 "$site" 2>/dev/null; then
    cat "$folder/site.log" >&2
    exit 1
  fi
  sleep 0.1
done

if [ -n "$publishes" ]; then
  node "$(dirname "$0")/real-wordpress-publish.ts" "http://127.0.0.1:$port" author "$password"
  exit
fi
echo "Address               http://127.0.0.1:$port"
echo 'User                  author'
echo "Application password  $password"
wait "$site"
