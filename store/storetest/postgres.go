package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// ErrMissing is returned on a machine without PostgreSQL.
var ErrMissing = errors.New("PostgreSQL is not installed: there is no /usr/lib/postgresql/*/bin/initdb")

// A Cluster is a private PostgreSQL server with a Unix socket in its own folder. It runs as an unprivileged user if the tests
// run as root. A shell watches it: when the process that started the cluster ends, even killed, the shell reads the end of its
// input, stops the cluster and removes its folder.
type Cluster struct {
	bin, folder string
	wrap        []string // a command that runs the server, such as a tracer
	owner       *syscall.Credential
	life        io.WriteCloser // the shell's input
	shell       *exec.Cmd
	databases   atomic.Int64
}

// StartCluster starts a cluster. STORETEST_FSYNC=off makes it faster, but not durable.
func StartCluster() (*Cluster, error) { return StartClusterBy() }

// StartClusterBy starts a cluster whose server a command runs, such as a tracer. The command must replace itself by the
// server, which receives its signals. It runs as the cluster's owner.
func StartClusterBy(wrap ...string) (_ *Cluster, err error) {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		return nil, ErrMissing
	}
	folder, err := os.MkdirTemp("", "storetest")
	if err != nil {
		return nil, err
	}
	c := &Cluster{bin: filepath.Dir(found[len(found)-1]), folder: folder, wrap: wrap}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(folder))
		}
	}()
	if os.Geteuid() == 0 {
		if c.owner, err = unprivileged(); err != nil {
			return nil, err
		}
		if err := os.Chown(folder, int(c.owner.Uid), int(c.owner.Gid)); err != nil {
			return nil, err
		}
	}
	if err := c.initialise(); err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	return c, nil
}

// initialise creates the data folder. It keeps the one that initdb makes in the user's cache folder, named after that version of
// initdb, and copies it the next time: each package with tests starts a cluster, and a copy takes a quarter of initdb's time.
func (c *Cluster) initialise() error {
	program := filepath.Join(c.bin, "initdb")
	kept := ""
	if cache, err := os.UserCacheDir(); err == nil {
		found, err := os.Stat(program)
		if err != nil {
			return err
		}
		kept = filepath.Join(cache, "hiresure", fmt.Sprintf("initdb-%x-%x", found.Size(), found.ModTime().UnixNano()))
		if _, err := os.Stat(kept); err == nil {
			return c.copyData(kept)
		}
	}
	initdb := c.command(program, "--pgdata="+c.data(), "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")
	if output, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, output)
	}
	if kept != "" {
		_ = keep(c.data(), kept) // else the next start takes longer
	}
	return nil
}

func keep(data, at string) error {
	if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
		return err
	}
	half, err := os.MkdirTemp(filepath.Dir(at), "half")
	if err != nil {
		return err
	}
	defer os.RemoveAll(half) // nothing, once it has its name
	if err := os.CopyFS(half, os.DirFS(data)); err != nil {
		return err
	}
	return os.Rename(half, at) // fails where another process was faster
}

// copyData copies a data folder for the cluster's owner.
func (c *Cluster) copyData(from string) error {
	if err := os.CopyFS(c.data(), os.DirFS(from)); err != nil {
		return err
	}
	if err := os.Chmod(c.data(), 0o700); err != nil || c.owner == nil {
		return err
	}
	return filepath.WalkDir(c.data(), func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chown(path, int(c.owner.Uid), int(c.owner.Gid))
	})
}

// unprivileged returns the user postgres of the distribution's package, or nobody.
func unprivileged() (*syscall.Credential, error) {
	for _, name := range []string{"postgres", "nobody"} {
		found, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.ParseUint(found.Uid, 10, 32)
		if err != nil {
			return nil, err
		}
		gid, err := strconv.ParseUint(found.Gid, 10, 32)
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, err
	}
	return nil, errors.New("there is neither a user postgres nor nobody")
}

func (c *Cluster) data() string { return filepath.Join(c.folder, "data") }

func (c *Cluster) command(name string, args ...string) *exec.Cmd {
	command := exec.Command(name, args...)
	command.Dir = c.folder
	command.SysProcAttr = &syscall.SysProcAttr{Credential: c.owner, Setpgid: true}
	return command
}

const watch = `"$@" & server=$!
read -r line
kill -INT $server; wait $server
[ "$line" = keep ] || rm -rf "$FOLDER"`

// Start starts a stopped cluster.
func (c *Cluster) Start() error {
	fsync := "on"
	if os.Getenv("STORETEST_FSYNC") == "off" {
		fsync = "off"
	}
	c.shell = c.command("/bin/sh", slices.Concat([]string{"-c", watch, "sh"}, c.wrap, []string{filepath.Join(c.bin, "postgres"), "-D", c.data(), "-k", c.folder,
		"-c", "listen_addresses=", "-c", "max_connections=200", "-c", "shared_buffers=64MB", "-c", "fsync=" + fsync})...)
	c.shell.Env = append(os.Environ(), "FOLDER="+c.folder)
	var log bytes.Buffer
	c.shell.Stdout, c.shell.Stderr = &log, &log
	life, err := c.shell.StdinPipe()
	if err != nil {
		return err
	}
	c.life = life
	if err := c.shell.Start(); err != nil {
		return err
	}
	for deadline := time.Now().Add(30 * time.Second); ; {
		err := c.run("SELECT 1")
		if err == nil {
			return nil
		}
		if time.Now().After(deadline) {
			return errors.Join(fmt.Errorf("PostgreSQL does not start: %w", err), c.Close())
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// Stop stops the cluster, closing its connections, and keeps its data.
func (c *Cluster) Stop() error {
	if _, err := io.WriteString(c.life, "keep\n"); err != nil {
		return err
	}
	return c.end()
}

// Close stops the cluster, if it runs, and removes its data.
func (c *Cluster) Close() error {
	if c.life == nil {
		return os.RemoveAll(c.folder)
	}
	return c.end()
}

func (c *Cluster) end() error {
	err := c.life.Close()
	c.life = nil
	var exit *exec.ExitError
	if waited := c.shell.Wait(); waited != nil && !errors.As(waited, &exit) {
		err = errors.Join(err, waited)
	}
	return err
}

// Signal sends a signal to all processes of the server, such as SIGSTOP and SIGCONT.
func (c *Cluster) Signal(signal syscall.Signal) error {
	line, err := os.ReadFile(filepath.Join(c.data(), "postmaster.pid"))
	if err != nil {
		return err
	}
	first, _, _ := bytes.Cut(line, []byte("\n"))
	server, err := strconv.Atoi(string(first))
	if err == nil {
		err = syscall.Kill(server, signal)
	}
	if err != nil {
		return err
	}
	tasks, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", server, server))
	for _, child := range bytes.Fields(tasks) {
		pid, notNumber := strconv.Atoi(string(child))
		err = errors.Join(err, notNumber, syscall.Kill(pid, signal))
	}
	return err
}

// NewDatabase creates an empty database and returns its URL.
func (c *Cluster) NewDatabase() (url string, err error) { return c.copyOf("template0") }

func (c *Cluster) copyOf(database string) (url string, err error) {
	name := fmt.Sprintf("test_%d", c.databases.Add(1))
	return c.url(name), c.run("CREATE DATABASE " + name + " TEMPLATE " + database)
}

func (c *Cluster) url(database string) string {
	return "postgres://postgres@/" + database + "?host=" + c.folder + "&sslmode=disable"
}

func (c *Cluster) run(statement string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	connection, err := pgx.Connect(ctx, c.url("postgres"))
	if err != nil {
		return err
	}
	_, err = connection.Exec(ctx, statement)
	return errors.Join(err, connection.Close(ctx))
}

const templateDatabase = "template1" // of the shared cluster

// shared is the cluster of this process.
var shared = sync.OnceValues(func() (*Cluster, error) {
	cluster, err := StartCluster()
	if err != nil {
		return nil, err
	}
	if err := migrate(cluster.url(templateDatabase)); err != nil {
		return nil, errors.Join(err, cluster.Close())
	}
	return cluster, nil
})

// Postgres returns the URL of a new PostgreSQL database with the tables that store.Open creates, in a cluster that the process
// shares. It skips the test if PostgreSQL is not installed.
func Postgres(t testing.TB) string {
	t.Helper()
	return newURL(t, func(c *Cluster) (string, error) { return c.copyOf(templateDatabase) })
}

// EmptyPostgres is Postgres without tables.
func EmptyPostgres(t testing.TB) string {
	t.Helper()
	return newURL(t, (*Cluster).NewDatabase)
}

func newURL(t testing.TB, newDatabase func(*Cluster) (string, error)) string {
	t.Helper()
	cluster, err := shared()
	if errors.Is(err, ErrMissing) {
		skip(t, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	url, err := newDatabase(cluster)
	if err != nil {
		t.Fatal(err)
	}
	return url
}

// OwnCluster returns a cluster for one test, to stop and start; wrap is as for StartClusterBy.
func OwnCluster(t testing.TB, wrap ...string) *Cluster {
	t.Helper()
	cluster, err := StartClusterBy(wrap...)
	if errors.Is(err, ErrMissing) {
		skip(t, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cluster.Close(); err != nil {
			t.Error(err)
		}
	})
	return cluster
}

func skip(t testing.TB, why error) {
	t.Helper()
	fmt.Fprintf(os.Stderr, "SKIPPED: %s: %v\n", t.Name(), why)
	t.Skip(why)
}
