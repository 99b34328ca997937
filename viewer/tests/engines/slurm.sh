#!/bin/sh
# Starts Slurm on this machine alone, as a cluster with one node of two cores:
#
#     slurm.sh FOLDER PORT PORT
#
# The folder gets the configuration, the state, the logs and the .pid files of what it starts. SLURM_CONF=FOLDER/slurm.conf
# makes commands such as `sbatch` use this cluster. It needs Debian's slurmctld, slurmd, slurm-client and munge.
set -eu
folder=$1
host=$(hostname -s)
PATH=$PATH:/usr/sbin
mkdir -p "$folder/state" "$folder/spool"
# munged refuses folders that others may write to.
chmod 755 "$folder"
head -c 1024 /dev/urandom >"$folder/munge.key"
chmod 400 "$folder/munge.key"
cat >"$folder/slurm.conf" <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$2
SlurmdPort=$3
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
CredType=cred/munge
# A job that is requeued waits until its credential has expired.
AuthInfo=socket=$folder/munge.socket,cred_expire=5
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=2
PartitionName=all Nodes=ALL Default=YES
END
# The machine may have a munged of its own, with another key.
munged --key-file="$folder/munge.key" --socket="$folder/munge.socket" --pid-file="$folder/munged.pid" \
    --log-file="$folder/munged.log" --seed-file="$folder/munged.seed"
SLURM_CONF=$folder/slurm.conf
export SLURM_CONF
slurmctld
slurmd -N "$host"
for _ in $(seq 100); do
    [ "$(sinfo --noheader --format=%t)" = idle ] && exit
    sleep 0.2
done
echo "the node is not idle:" >&2
sinfo >&2
exit 1
