/* MuJoCo's functions behind the interface of the contenders (see protocol.py).
 *
 * No geometry, no constraints, no actuators: only what the rigid-body functions need. The order of
 * the joints is MuJoCo's; rival_open reads it from the joints' names j0, j1, ... */

#include "timed_loop.h"

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>

enum { INVERSE_DYNAMICS, MASS_MATRIX, GRAVITY_VECTOR, FORWARD_DYNAMICS };

typedef struct {
    mjModel *model;
    mjData *data;
    int *address; /* place of our joint k in MuJoCo's velocities */
    double *force;
    double *matrix;
} Handle;

void *rival_open(const char *path)
{
    char error[1000] = "";
    Handle *h = calloc(1, sizeof *h);
    if (h == NULL) return NULL;
    h->model = mj_loadXML(path, NULL, error, sizeof error);
    if (h->model == NULL) {
        free(h);
        return NULL;
    }
    h->data = mj_makeData(h->model);
    const size_t n = (size_t)h->model->nv;
    h->address = calloc(n, sizeof *h->address);
    h->force = calloc(n, sizeof *h->force);
    h->matrix = calloc(n * n, sizeof *h->matrix);
    for (size_t k = 0; k < n; ++k) {
        char name[32];
        snprintf(name, sizeof name, "j%zu", k);
        h->address[k] = h->model->jnt_dofadr[mj_name2id(h->model, mjOBJ_JOINT, name)];
    }
    return h;
}

static void place(Handle *h, const double *q, const double *v)
{
    for (int k = 0; k < h->model->nv; ++k) {
        h->data->qpos[h->address[k]] = q[k];
        h->data->qvel[h->address[k]] = v == NULL ? 0.0 : v[k];
    }
    mj_kinematics(h->model, h->data);
    mj_comPos(h->model, h->data);
}

/* mj_rne leaves the armature out; it is added as our inverse dynamics has it. */
static void inverse_dynamics(Handle *h, const double *q, const double *v, const double *a)
{
    place(h, q, v);
    for (int k = 0; k < h->model->nv; ++k) h->data->qacc[h->address[k]] = a[k];
    mj_comVel(h->model, h->data);
    mj_rne(h->model, h->data, 1, h->force);
    for (int k = 0; k < h->model->nv; ++k)
        h->force[k] += h->model->dof_armature[k] * h->data->qacc[k];
}

static void gravity_vector(Handle *h, const double *q)
{
    place(h, q, NULL);
    mj_comVel(h->model, h->data);
    mj_rne(h->model, h->data, 0, h->force);
}

static void mass_matrix(Handle *h, const double *q)
{
    place(h, q, NULL);
    mj_makeM(h->model, h->data);
}

static void forward_dynamics(Handle *h, const double *q, const double *v, const double *tau)
{
    for (int k = 0; k < h->model->nv; ++k) {
        h->data->qpos[h->address[k]] = q[k];
        h->data->qvel[h->address[k]] = v[k];
        h->data->qfrc_applied[h->address[k]] = tau[k];
    }
    mj_forward(h->model, h->data);
}

int rival_evaluate(void *handle, int function, const double *state, double *out)
{
    Handle *h = handle;
    const int n = h->model->nv;
    const double *q = state, *v = state + n, *x = state + 2 * n;
    switch (function) {
    case INVERSE_DYNAMICS:
        inverse_dynamics(h, q, v, x);
        for (int k = 0; k < n; ++k) out[k] = h->force[h->address[k]];
        return 0;
    case MASS_MATRIX:
        mass_matrix(h, q);
        mj_fullM(h->model, h->data, h->matrix);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                out[i * n + j] = h->matrix[h->address[i] * n + h->address[j]];
        return 0;
    case GRAVITY_VECTOR:
        gravity_vector(h, q);
        for (int k = 0; k < n; ++k) out[k] = h->force[h->address[k]];
        return 0;
    case FORWARD_DYNAMICS:
        forward_dynamics(h, q, v, x);
        for (int k = 0; k < n; ++k) out[k] = h->data->qacc[h->address[k]];
        return 0;
    default:
        return 1;
    }
}

double rival_run(void *handle, int function, const double *states, long count, long repeats,
                 double *sink)
{
    Handle *h = handle;
    const int n = h->model->nv;
    const double *out = h->force;
    switch (function) {
    case INVERSE_DYNAMICS:
        TIMED_LOOP(n, inverse_dynamics(h, q, v, x));
    case MASS_MATRIX:
        TIMED_LOOP(n, mass_matrix(h, q));
    case GRAVITY_VECTOR:
        TIMED_LOOP(n, gravity_vector(h, q));
    case FORWARD_DYNAMICS:
        TIMED_LOOP(n, forward_dynamics(h, q, v, x));
    default:
        return -1.0;
    }
}
